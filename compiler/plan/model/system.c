// The table of operating systems, and its columns.
#include "compiler/plan/model/system.h"

typedef struct {
    const char *os;
    const char *parallelcluster;
    const char *eksctl;
} ToolSystemRow;

// aws-parallelcluster, SUPPORTED_OSES and its changelog up to 3.14, 2026-11: 3.13 adds ubuntu2404, 3.14 drops
// ubuntu2004. The notes of releases 3.16.1 and 3.16.2 name no system; whether alinux2 is still taken, no source says.
// eksctl@99984adb, amiFamily of its schema, 2026-08.
static const ToolSystemRow TOOL_SYSTEM_ROWS[] = {
    { "al2023", "alinux2023", "AmazonLinux2023" },
    { "al2", "alinux2", "AmazonLinux2" },
    { "ubuntu2004", NULL, "Ubuntu2004" },
    { "ubuntu2204", "ubuntu2204", "Ubuntu2204" },
    { "ubuntu2404", "ubuntu2404", "Ubuntu2404" },
    { "rhel8", "rhel8", NULL },
    { "rhel9", "rhel9", NULL },
    { "bottlerocket", NULL, "Bottlerocket" },
};

static const ToolSystemRow *find_row(Str os) {
    for (size_t i = 0; i < COUNT_OF(TOOL_SYSTEM_ROWS); i++) {
        if (str_is(os, TOOL_SYSTEM_ROWS[i].os)) {
            return &TOOL_SYSTEM_ROWS[i];
        }
    }
    return NULL;
}

const char *system_of_parallelcluster(Str os) {
    const ToolSystemRow *row = find_row(os);
    return row == NULL ? NULL : row->parallelcluster;
}

const char *system_of_eksctl(Str os) {
    const ToolSystemRow *row = find_row(os);
    return row == NULL ? NULL : row->eksctl;
}
