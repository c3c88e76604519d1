// Reads /sys/class/infiniband/*/ports/1/hw_counters. The best of several samples hides a link that loses packets and
// sends them again; these counters do not. Devices that are not EFA have counters of other names, and add nothing.
#include "stdlib/node/collective/counters.h"

#include "stdlib/node/collective/text.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { COUNTER_PATH_BYTES = 512 };

const CounterRow COUNTER_ROWS[COUNTER_COUNT] = {
#define COUNTER(name, warns) [COUNTER_##name] = { #name, COUNTER_WARNS_##warns },
    COUNTERS(COUNTER)
#undef COUNTER
};

static uint64_t read_number(const char *path) {
    FILE *file = fopen(path, "re");
    unsigned long long number = 0;
    if (file == NULL) {
        return 0;
    }
    if (fscanf(file, "%19llu", &number) != 1) {
        number = 0;
    }
    (void)fclose(file);
    return number;
}

void counters_read(const char *root, uint64_t counters[COUNTER_COUNT]) {
    char path[COUNTER_PATH_BYTES];
    memset(counters, 0, sizeof counters[0] * COUNTER_COUNT);
    text_into(path, sizeof path, "%s/sys/class/infiniband", root);
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return;
    }
    for (const struct dirent *device = readdir(folder); device != NULL; device = readdir(folder)) {
        for (size_t i = 0; device->d_name[0] != '.' && i < COUNTER_COUNT; i++) {
            text_into(path, sizeof path, "%s/sys/class/infiniband/%s/ports/1/hw_counters/%s", root, device->d_name,
                      COUNTER_ROWS[i].name);
            counters[i] += read_number(path);
        }
    }
    (void)closedir(folder);
}

static uint64_t growth(const Evidence *evidence, uint32_t rank, uint32_t counter) {
    return evidence->ranks[rank].has_report ? evidence->ranks[rank].report.counters[counter] : 0;
}

static bool is_common(const Evidence *evidence, uint32_t counter) {
    uint32_t ranks = 0;
    for (uint32_t i = 0; i < evidence->n; i++) {
        ranks += growth(evidence, i, counter) > 0;
    }
    return ranks * 2 >= evidence->n;
}

// Who counts is one end of what went wrong, and its peer is the other one. Of a run that failed the cause is known, and
// the counters of those who talked to it are its marks.
void counters_warn(const Evidence *evidence, Verdict *verdict) {
    for (uint32_t i = 0; verdict->has_passed && i < COUNTER_COUNT; i++) {
        const CounterRow *row = &COUNTER_ROWS[i];
        const bool is_shown =
            row->warns == COUNTER_WARNS_NEVER || (row->warns == COUNTER_WARNS_ALONE && is_common(evidence, i));
        for (uint32_t rank = 0; !is_shown && rank < evidence->n; rank++) {
            if (growth(evidence, rank, i) > 0) {
                verdict_warn(verdict, rank, "%s of its EFA interfaces grew by %llu", row->name,
                             (unsigned long long)growth(evidence, rank, i));
            }
        }
    }
}
