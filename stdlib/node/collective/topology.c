#include "stdlib/node/collective/topology.h"

#include "stdlib/node/collective/text.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void resolve(const char *link, DevicePath path) {
    char whole[PATH_MAX];
    path[0] = '\0';
    // One that is longer than any of sysfs is none that could be compared.
    if (realpath(link, whole) != NULL && strlen(whole) < DEVICE_PATH_BYTES) {
        text_into(path, DEVICE_PATH_BYTES, "%s", whole);
    }
}

void topology_of_gpu(const char *root, const char *bus, DevicePath path) {
    char small[DEVICE_BUS_BYTES]; // CUDA writes capital letters, and sysfs small ones
    char link[PATH_MAX];
    text_into(small, sizeof small, "%s", bus);
    for (size_t i = 0; small[i] != '\0'; i++) {
        small[i] = (char)tolower((unsigned char)small[i]);
    }
    text_into(link, sizeof link, "%s/sys/bus/pci/devices/%s", root, small);
    resolve(small[0] == '\0' ? "" : link, path);
}

void topology_of_interface(const char *root, const char *name, DevicePath path) {
    const char *kind = strrchr(name, '-'); // "rdmap16s27-rdm": the device and the kind of endpoint
    const int len = kind == NULL ? (int)strlen(name) : (int)(kind - name);
    char link[PATH_MAX];
    text_into(link, sizeof link, "%s/sys/class/infiniband/%.*s/device", root, len, name);
    resolve(link, path);
}

// How many folders two paths have in common.
static uint32_t shared_folders(const char *a, const char *b) {
    uint32_t count = 0;
    for (size_t i = 0; a[i] == b[i] && a[i] != '\0'; i++) {
        count += a[i] == '/';
    }
    return count;
}

void topology_pair(const DevicePath *interfaces, uint32_t interface_count, const DevicePath *gpus, uint32_t gpu_count,
                   uint32_t interfaces_of[DEVICES_MAX]) {
    uint32_t taken = 0;
    for (uint32_t gpu = 0; gpu < gpu_count; gpu++) {
        uint32_t most = 0;
        interfaces_of[gpu] = 0;
        for (uint32_t i = 0; i < interface_count; i++) {
            const uint32_t shared = shared_folders(gpus[gpu], interfaces[i]);
            interfaces_of[gpu] = shared > most ? 0 : interfaces_of[gpu];
            most = shared > most ? shared : most;
            interfaces_of[gpu] |= shared == most ? UINT32_C(1) << i : 0;
        }
        taken |= interfaces_of[gpu];
    }
    for (uint32_t i = 0; i < interface_count && gpu_count > 0; i++) {
        uint32_t nearest = 0;
        for (uint32_t gpu = 1; gpu < gpu_count; gpu++) {
            nearest =
                shared_folders(gpus[gpu], interfaces[i]) > shared_folders(gpus[nearest], interfaces[i]) ? gpu : nearest;
        }
        interfaces_of[nearest] |= (taken >> i & 1) == 0 ? UINT32_C(1) << i : 0;
    }
}
