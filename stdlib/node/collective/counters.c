// Reads /sys/class/infiniband/*/ports/1/hw_counters. The best of several samples hides a link that loses packets and
// sends them again; these counters do not. Devices that are not EFA have counters of other names, and add nothing.
#include "stdlib/node/collective/counters.h"

#include "stdlib/node/collective/text.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { COUNTER_PATH_BYTES = 512 };

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
    static const char *const NAMES[COUNTER_COUNT] = {
#define COUNTER(name) [COUNTER_##name] = #name,
        COUNTERS(COUNTER)
#undef COUNTER
    };
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
                      NAMES[i]);
            counters[i] += read_number(path);
        }
    }
    (void)closedir(folder);
}
