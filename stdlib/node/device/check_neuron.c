// Neuron devices through sysfs. Driver 2.31 moved files to other folders, so that counts are looked for by their names,
// wherever the driver keeps them below the device (Neuron Sysfs User Guide, 2.33.0, read 2026-11).
#include "stdlib/node/device/checks.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char DEVICES[] = "/sys/class/neuron_device";

typedef struct Count {
    const char *name;
    bool is_found;
    uint64_t errors;
} Count;

enum { DEPTH_MAX = 6, COUNTS = 3 };

// Adds up the files of that name below a folder; some are folders themselves, with a file `total`. Links lead
// elsewhere.
static void add_up(const Host *host, const char *folder, Count counts[COUNTS], int depth) {
    HostNames *names = host_names(host, folder, NULL);
    for (uint32_t i = 0; names != NULL && i < names->count; i++) {
        char path[HOST_PATH_BYTES];
        char whole[HOST_PATH_BYTES];
        uint64_t number = 0;
        const char *name = names->names[i];
        bool is_count = false;
        for (int k = 0; k < COUNTS; k++) {
            if (strcmp(counts[k].name, name) == 0) {
                is_count = true;
                const bool is_read =
                    host_number(host, &number, folder, name, NULL) || host_number(host, &number, folder, name, "total");
                counts[k].is_found = counts[k].is_found || is_read;
                counts[k].errors += number;
            }
        }
        (void)snprintf(path, sizeof path, "%s/%s", folder, name);
        host_path(host, whole, path, NULL, NULL);
        DIR *below = is_count || depth == DEPTH_MAX || strcmp(name, "subsystem") == 0 || strcmp(name, "device") == 0
                         ? NULL
                         : opendir(whole);
        if (below != NULL) {
            (void)closedir(below);
            add_up(host, path, counts, depth + 1);
        }
    }
    free(names);
}

// Errors that can be repaired end a program and no device (Neuron Sysfs User Guide).
static void look_at_errors(const Node *node, Finding *finding, const char *name) {
    char folder[HOST_PATH_BYTES];
    Count counts[COUNTS] = { { .name = "mem_ecc_uncorrected" },
                             { .name = "sram_ecc_uncorrected" },
                             { .name = "mem_ecc_repairable_uncorrected" } };
    (void)snprintf(folder, sizeof folder, "%s/%s", DEVICES, name);
    add_up(&node->host, folder, counts, 0);
    finding_look(finding);
    for (int i = 0; i < COUNTS; i++) {
        if (counts[i].errors > 0) {
            finding_fault(finding, i == COUNTS - 1 ? LEVEL_WARN : LEVEL_FAIL, name, "%s:%llu", counts[i].name,
                          (unsigned long long)counts[i].errors);
        }
    }
    if (!counts[0].is_found && !counts[1].is_found) {
        finding_fault(finding, LEVEL_WARN, name, "unreadable");
    }
}

void check_neurons(const Node *node) {
    enum { WANT_BYTES = 16 };
    char want[WANT_BYTES];
    Finding devices = { .check = DEVICE_NEURON_COUNT, .want = want, .at = "/sys/class/neuron_device" };
    Finding cores = { .check = DEVICE_NEURON_CORES, .at = "/sys/class/neuron_device" };
    Finding errors = { .check = DEVICE_NEURON_ERRORS, .at = "/sys/class/neuron_device" };
    uint64_t most = 0;
    HostNames *names = host_names(&node->host, DEVICES, "neuron");
    const uint32_t count = names != NULL ? names->count : 0;
    text_into(want, sizeof want, "%u", node->expected->neurons);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number = 0;
        (void)host_number(&node->host, &number, DEVICES, names->names[i], "core_count");
        most = number > most ? number : most;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number = 0;
        (void)host_number(&node->host, &number, DEVICES, names->names[i], "core_count");
        finding_look(&cores);
        if (number < most) {
            finding_fault(&cores, LEVEL_FAIL, names->names[i], "%llu-of-%llu", (unsigned long long)number,
                          (unsigned long long)most);
        }
        look_at_errors(node, &errors, names->names[i]);
    }
    if (count != node->expected->neurons) {
        devices.is_of_image = count == 0;
        finding_fault(&devices, LEVEL_FAIL, "devices", "%u", count);
    }
    findings_put(node->findings, &devices);
    if (count > 0) {
        findings_put(node->findings, &cores);
        findings_put(node->findings, &errors);
    }
    free(names);
}
