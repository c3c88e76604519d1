// Finds the newest of what a document holds, so that patches count too. A row is about a key, or about a key with one
// text. What is not in a row is older than the first release that was looked at.
#include "emitters/tool/releases.h"

enum { PARTS = 3 };

typedef struct {
    const char *key;
    const char *text; // its value; NULL: whatever it is
    int release[PARTS];
} ReleaseRow;

typedef struct {
    const char *suffix;
    const char *tool;
    int first[PARTS]; // where nothing newer is in the file
    const ReleaseRow *rows;
    size_t count;
} ToolRow;

// Which tag of eksctl-io/eksctl has the key first in pkg/apis/eksctl.io/v1alpha5/assets/schema.json, of those from 0.90
// on; overrideBootstrapCommand and preBootstrapCommands are for Amazon Linux 2023, of docs/release_notes/0.199.0.md and
// 0.198.0.md, 2026-08. A version of Kubernetes is known from 0.191.0.md on, and any from 0.202.0.md, which asks EKS.
static const ReleaseRow EKSCTL_ROWS[] = {
    { "capacityReservation", NULL, { 0, 108, 0 } },
    { "accessConfig", NULL, { 0, 167, 0 } },
    { "amiFamily", "Ubuntu2204", { 0, 172, 0 } },
    { "amiFamily", "AmazonLinux2023", { 0, 176, 0 } },
    { "podIdentityAssociations", NULL, { 0, 181, 0 } },
    { "preBootstrapCommands", NULL, { 0, 198, 0 } },
    { "overrideBootstrapCommand", NULL, { 0, 199, 0 } },
    { "amiFamily", "Ubuntu2404", { 0, 201, 0 } },
    { "instanceMarketOptions", NULL, { 0, 205, 0 } },
    { "version", "1.31", { 0, 191, 0 } },
    { "version", "1.32", { 0, 202, 0 } },
    { "version", "1.33", { 0, 202, 0 } },
    { "version", "1.34", { 0, 202, 0 } },
    { "version", "1.35", { 0, 202, 0 } },
    { "version", "1.36", { 0, 202, 0 } },
    { "version", "1.37", { 0, 202, 0 } },
};

// dt(5) promises files for 3.14 and later, which know every key and system that is written. Types whose drivers or
// interfaces came with a release: aws/aws-parallelcluster-cookbook#3022, #3027, #3028 (p6-b200 and p6e-gb200, 3.14.0),
// 2025-09; aws/aws-parallelcluster#7210 (p6-b300, 3.15.0), 2026-01.
static const ReleaseRow PCLUSTER_ROWS[] = {
    { "InstanceType", "p6-b200.48xlarge", { 3, 14, 0 } },
    { "InstanceType", "p6e-gb200.36xlarge", { 3, 14, 0 } },
    { "InstanceType", "p6-b300.48xlarge", { 3, 15, 0 } },
};

static const ToolRow TOOL_ROWS[] = {
    { "eksctl", "eksctl", { 0, 90, 0 }, EKSCTL_ROWS, COUNT_OF(EKSCTL_ROWS) },
    { "pcluster", "ParallelCluster", { 3, 14, 0 }, PCLUSTER_ROWS, COUNT_OF(PCLUSTER_ROWS) },
};

static bool is_newer(const int *a, const int *b) {
    for (size_t i = 0; i < PARTS; i++) {
        if (a[i] != b[i]) {
            return a[i] > b[i];
        }
    }
    return false;
}

// Of two that came in the same release, the first in the file.
static const ReleaseRow *newest(const ToolRow *tool, const DocNode *node, const ReleaseRow *found) {
    for (size_t i = 0; node->key.len > 0 && i < tool->count; i++) {
        const ReleaseRow *row = &tool->rows[i];
        const bool is_it = str_is(node->key, row->key) &&
                           (row->text == NULL || (node->kind == DOC_STRING && str_is(node->string, row->text)));
        if (is_it && (found == NULL || is_newer(row->release, found->release))) {
            found = row;
        }
    }
    for (const DocNode *child = doc_is_leaf(node) ? NULL : node->first; child != NULL; child = child->next) {
        found = newest(tool, child, found);
    }
    return found;
}

Str releases_line(Arena *arena, const Doc *doc, const char *suffix) {
    for (size_t i = 0; i < COUNT_OF(TOOL_ROWS); i++) {
        const ToolRow *tool = &TOOL_ROWS[i];
        if (strcmp(tool->suffix, suffix) != 0) {
            continue;
        }
        const ReleaseRow *row = newest(tool, doc_root(doc), NULL);
        const int *release = row == NULL ? tool->first : row->release;
        Str line = str_format(arena, "For %s %d.%d.%d or newer", tool->tool, release[0], release[1], release[2]);
        if (row == NULL) {
            return str_format(arena, "%.*s.", STR_ARG(line));
        }
        return row->text == NULL ? str_format(arena, "%.*s, because of `%s`.", STR_ARG(line), row->key)
                                 : str_format(arena, "%.*s, because of `%s: %s`.", STR_ARG(line), row->key, row->text);
    }
    return STR_NONE;
}
