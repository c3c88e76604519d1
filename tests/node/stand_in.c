// A stand-in for NVML and for CUDA's driver, for a device node that hangs, and for a disk that is full. FAULTS has what is broken, words such as
// `ecc@2=1`: of GPU 2 the call answers 1. GPUS is how many CUDA has, 8 by default. Loaded before a program it also
// answers open(), for the path that ends with the name in OPEN_FAULT: `nvidia3=hang` or `nvidia3=5`, an errno; and statvfs(),
// by what DISK_FAULT lacks: `blocks` or `files`.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "stdlib/node/device/nvml.h"

#define EXPORT __attribute__((visibility("default")))

enum { GPUS_OF_NVML = 8, LINKS = 18, FAST_MB_S = 29000000 };

static unsigned gpus(void) {
    const char *text = getenv("GPUS");
    return text != NULL ? (unsigned)atoi(text) : 8;
}

// What FAULTS has for a call on a GPU, or `otherwise`.
static long long given(const char *call, unsigned gpu, long long otherwise) {
    char key[64];
    const char *faults = getenv("FAULTS");
    (void)snprintf(key, sizeof key, "%s@%u=", call, gpu);
    const char *found = faults != NULL ? strstr(faults, key) : NULL;
    if (found == NULL) {
        (void)snprintf(key, sizeof key, "%s=", call);
        found = faults != NULL ? strstr(faults, key) : NULL;
    }
    return found != NULL && (found == faults || found[-1] == ' ') ? atoll(found + strlen(key)) : otherwise;
}

static void wait_for_ever(void) {
    for (;;) {
        (void)pause();
    }
}

// The status that a call ends with: CALL-error; with CALL-hangs and CALL-crashes it does not end.
static int status_of(const char *call, unsigned gpu) {
    char key[64];
    (void)snprintf(key, sizeof key, "%s-hangs", call);
    if (given(key, gpu, 0) != 0) {
        wait_for_ever();
    }
    (void)snprintf(key, sizeof key, "%s-crashes", call);
    if (given(key, gpu, 0) != 0) {
        (void)raise(SIGSEGV);
    }
    (void)snprintf(key, sizeof key, "%s-error", call);
    return (int)given(key, gpu, 0);
}

static unsigned number_of(NvmlDevice device) {
    return (unsigned)(size_t)device - 1;
}

// ---- NVML

EXPORT int nvmlInit_v2(void);
EXPORT int nvmlInit_v2(void) {
    return status_of("init", 0);
}

EXPORT int nvmlSystemGetDriverVersion(char *version, unsigned len);
EXPORT int nvmlSystemGetDriverVersion(char *version, unsigned len) {
    (void)snprintf(version, len, "550.%lld.15", given("version", 0, 54));
    return NVML_SUCCESS;
}

EXPORT int nvmlDeviceGetCount_v2(unsigned *count);
EXPORT int nvmlDeviceGetCount_v2(unsigned *count) {
    *count = (unsigned)given("count", 0, GPUS_OF_NVML);
    return status_of("count", 0);
}

EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, NvmlDevice *device);
EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, NvmlDevice *device) {
    *device = (NvmlDevice)(size_t)(index + 1);
    return status_of("device", index);
}

EXPORT int nvmlDeviceGetPciInfo_v3(NvmlDevice device, NvmlPci *pci);
EXPORT int nvmlDeviceGetPciInfo_v3(NvmlDevice device, NvmlPci *pci) {
    (void)snprintf(pci->address, sizeof pci->address, "00000000:%02X:00.0", 0x50 + number_of(device));
    return status_of("pci", number_of(device));
}

EXPORT int nvmlDeviceGetTotalEccErrors(NvmlDevice device, int kind, int counter, unsigned long long *count);
EXPORT int nvmlDeviceGetTotalEccErrors(NvmlDevice device, int kind, int counter, unsigned long long *count) {
    (void)kind;
    *count = (unsigned long long)given(counter == NVML_VOLATILE ? "volatile" : "aggregate", number_of(device), 0);
    return status_of("ecc", number_of(device));
}

EXPORT int nvmlDeviceGetEccMode(NvmlDevice device, unsigned *is_on, unsigned *is_pending);
EXPORT int nvmlDeviceGetEccMode(NvmlDevice device, unsigned *is_on, unsigned *is_pending) {
    *is_on = (unsigned)given("ecc-mode", number_of(device), 1);
    *is_pending = *is_on;
    return status_of("ecc_mode", number_of(device));
}

EXPORT int nvmlDeviceValidateInforom(NvmlDevice device);
EXPORT int nvmlDeviceValidateInforom(NvmlDevice device) {
    return status_of("inforom", number_of(device));
}

EXPORT int nvmlDeviceGetPowerManagementLimit(NvmlDevice device, unsigned *milliwatts);
EXPORT int nvmlDeviceGetPowerManagementLimit(NvmlDevice device, unsigned *milliwatts) {
    *milliwatts = (unsigned)given("power", number_of(device), 700000);
    return status_of("power", number_of(device));
}

EXPORT int nvmlDeviceGetSramEccErrorStatus(NvmlDevice device, NvmlSram *sram);
EXPORT int nvmlDeviceGetSramEccErrorStatus(NvmlDevice device, NvmlSram *sram) {
    sram->is_above_threshold = (unsigned)given("sram", number_of(device), 0);
    return sram->version == NVML_VERSION_OF(NvmlSram, 1) ? status_of("sram", number_of(device))
                                                         : NVML_ARGUMENT_VERSION_MISMATCH;
}

EXPORT int nvmlDeviceGetRemappedRows(NvmlDevice device, unsigned *corrected, unsigned *uncorrected, unsigned *pending,
                                     unsigned *failed);
EXPORT int nvmlDeviceGetRemappedRows(NvmlDevice device, unsigned *corrected, unsigned *uncorrected, unsigned *pending,
                                     unsigned *failed) {
    *corrected = 0;
    *uncorrected = (unsigned)given("remapped", number_of(device), 0);
    *pending = (unsigned)given("pending", number_of(device), 0);
    *failed = (unsigned)given("failed", number_of(device), 0);
    return status_of("rows", number_of(device));
}

EXPORT int nvmlDeviceGetRetiredPagesPendingStatus(NvmlDevice device, int *pending);
EXPORT int nvmlDeviceGetRetiredPagesPendingStatus(NvmlDevice device, int *pending) {
    *pending = (int)given("pages", number_of(device), 0);
    return status_of("pages", number_of(device));
}

EXPORT int nvmlDeviceGetCurrentClocksThrottleReasons(NvmlDevice device, unsigned long long *reasons);
EXPORT int nvmlDeviceGetCurrentClocksThrottleReasons(NvmlDevice device, unsigned long long *reasons) {
    *reasons = (unsigned long long)given("clocks", number_of(device), 1);
    return status_of("clocks", number_of(device));
}

EXPORT int nvmlDeviceGetMigMode(NvmlDevice device, unsigned *is_on, unsigned *is_pending);
EXPORT int nvmlDeviceGetMigMode(NvmlDevice device, unsigned *is_on, unsigned *is_pending) {
    *is_on = (unsigned)given("mig", number_of(device), 0);
    *is_pending = *is_on;
    return status_of("mig", number_of(device));
}

EXPORT int nvmlDeviceGetNvLinkState(NvmlDevice device, unsigned link, int *is_up);
EXPORT int nvmlDeviceGetNvLinkState(NvmlDevice device, unsigned link, int *is_up) {
    *is_up = link < given("links", number_of(device), LINKS);
    return link < LINKS ? status_of("link", number_of(device)) : NVML_INVALID_ARGUMENT;
}

// Counts that stand, and that grow with each call where they are given.
EXPORT int nvmlDeviceGetNvLinkErrorCounter(NvmlDevice device, unsigned link, int counter, unsigned long long *count);
EXPORT int nvmlDeviceGetNvLinkErrorCounter(NvmlDevice device, unsigned link, int counter, unsigned long long *count) {
    static const char *const NAMES[] = { "replays", "recoveries", "crc-flit", "crc-data" };
    static unsigned calls[4];
    const unsigned long long grows = (unsigned long long)given(NAMES[counter], number_of(device), 0);
    *count = 7 + (link == 3 && grows > 0 ? grows * ++calls[counter] : 0);
    return link < LINKS ? status_of("link_errors", number_of(device)) : NVML_INVALID_ARGUMENT;
}

EXPORT int nvmlDeviceGetFieldValues(NvmlDevice device, int count, NvmlField *field);
EXPORT int nvmlDeviceGetFieldValues(NvmlDevice device, int count, NvmlField *field) {
    const bool is_action = field->field == NVML_FIELD_RECOVERY_ACTION;
    (void)count;
    field->result = is_action || field->scope < LINKS ? NVML_SUCCESS : NVML_NOT_SUPPORTED;
    field->value.large = (unsigned long long)(is_action           ? given("action", number_of(device), 0)
                                              : field->scope == 3 ? given("link-failed", number_of(device), 0)
                                                                  : 0);
    return status_of("fields", number_of(device));
}

EXPORT int nvmlDeviceGetPcieReplayCounter(NvmlDevice device, unsigned *count);
EXPORT int nvmlDeviceGetPcieReplayCounter(NvmlDevice device, unsigned *count) {
    *count = (unsigned)given("pcie-replays", number_of(device), 0);
    return status_of("replays", number_of(device));
}

EXPORT int nvmlDeviceGetCurrPcieLinkWidth(NvmlDevice device, unsigned *width);
EXPORT int nvmlDeviceGetCurrPcieLinkWidth(NvmlDevice device, unsigned *width) {
    *width = (unsigned)given("width", number_of(device), 16);
    return status_of("width", number_of(device));
}

EXPORT int nvmlDeviceGetMaxPcieLinkWidth(NvmlDevice device, unsigned *width);
EXPORT int nvmlDeviceGetMaxPcieLinkWidth(NvmlDevice device, unsigned *width) {
    *width = 16;
    return status_of("width_most", number_of(device));
}

EXPORT int nvmlDeviceGetGpuFabricInfoV(NvmlDevice device, NvmlFabric *fabric);
EXPORT int nvmlDeviceGetGpuFabricInfoV(NvmlDevice device, NvmlFabric *fabric) {
    const unsigned gpu = number_of(device);
    const unsigned version = fabric->version >> 24;
    if (version > given("fabric-version", gpu, 3)) {
        return NVML_ARGUMENT_VERSION_MISMATCH;
    }
    fabric->state = (unsigned char)given("fabric-state", gpu, NVML_FABRIC_COMPLETED);
    fabric->status = (int)given("fabric-status", gpu, NVML_SUCCESS);
    fabric->health_mask = (unsigned)given("fabric-mask", gpu, 0x2a);
    if (version == 3) {
        fabric->health = (unsigned char)given("fabric-health", gpu, 1);
    }
    return status_of("fabric", gpu);
}

// ---- CUDA

typedef uint64_t Pointer;

EXPORT int cuInit(unsigned flags);
EXPORT int cuInit(unsigned flags) {
    (void)flags;
    return status_of("cuda", 0);
}

EXPORT int cuDeviceGetCount(int *count);
EXPORT int cuDeviceGetCount(int *count) {
    *count = (int)gpus();
    return 0;
}

EXPORT int cuDeviceGet(int *device, int number);
EXPORT int cuDeviceGet(int *device, int number) {
    *device = number;
    return status_of("get", (unsigned)number);
}

EXPORT int cuDeviceGetName(char *name, int len, int device);
EXPORT int cuDeviceGetName(char *name, int len, int device) {
    (void)snprintf(name, (size_t)len, "%s",
                   given("unknown", (unsigned)device, 0) != 0 ? "NVIDIA X1" : "NVIDIA H100 80GB HBM3");
    return 0;
}

EXPORT int cuDeviceGetPCIBusId(char *address, int len, int device);
EXPORT int cuDeviceGetPCIBusId(char *address, int len, int device) {
    (void)snprintf(address, (size_t)len, "0000:%02X:00.0", 0x50 + (unsigned)device);
    return 0;
}

EXPORT int cuDevicePrimaryCtxRetain(void **context, int device);
EXPORT int cuDevicePrimaryCtxRetain(void **context, int device) {
    *context = malloc(1);
    return status_of("retain", (unsigned)device);
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device);
EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
    (void)device;
    return 0;
}

EXPORT int cuCtxSetCurrent(void *context);
EXPORT int cuCtxSetCurrent(void *context) {
    (void)context;
    return 0;
}

EXPORT int cuMemAlloc_v2(Pointer *pointer, size_t size);
EXPORT int cuMemAlloc_v2(Pointer *pointer, size_t size) {
    void *memory = malloc(size);
    *pointer = (Pointer)(size_t)memory;
    return memory == NULL ? 2 : status_of("allocate", 0);
}

EXPORT int cuMemFree_v2(Pointer pointer);
EXPORT int cuMemFree_v2(Pointer pointer) {
    free((void *)(size_t)pointer);
    return 0;
}

EXPORT int cuMemAllocHost_v2(void **memory, size_t size);
EXPORT int cuMemAllocHost_v2(void **memory, size_t size) {
    *memory = malloc(size);
    return *memory == NULL ? 2 : 0;
}

EXPORT int cuMemFreeHost(void *memory);
EXPORT int cuMemFreeHost(void *memory) {
    free(memory);
    return 0;
}

EXPORT int cuMemcpyHtoD_v2(Pointer to, const void *from, size_t size);
EXPORT int cuMemcpyHtoD_v2(Pointer to, const void *from, size_t size) {
    memcpy((void *)(size_t)to, from, size);
    return status_of("copy", 0);
}

EXPORT int cuMemcpyDtoH_v2(void *to, Pointer from, size_t size);
EXPORT int cuMemcpyDtoH_v2(void *to, Pointer from, size_t size) {
    memcpy(to, (const void *)(size_t)from, size);
    if (given("wrong", 0, 0) != 0) {
        ((unsigned char *)to)[size / 3] ^= 1;
    }
    return status_of("copy-back", 0);
}

// Takes a tenth of the time that an H100 takes, so that a busy machine is no slow GPU, or the time of `memory` MB/s.
EXPORT int cuMemcpyDtoD_v2(Pointer to, Pointer from, size_t size);
EXPORT int cuMemcpyDtoD_v2(Pointer to, Pointer from, size_t size) {
    const double seconds = 2.0 * (double)size / 1e6 / (double)given("memory", 0, FAST_MB_S);
    struct timespec begin;
    struct timespec now;
    (void)to;
    (void)from;
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) / 1e9 < seconds);
    return status_of("within", 0);
}

EXPORT int cuCtxSynchronize(void);
EXPORT int cuCtxSynchronize(void) {
    return status_of("synchronize", 0);
}

// ---- a disk

EXPORT int statvfs(const char *path, struct statvfs *room);
EXPORT int statvfs(const char *path, struct statvfs *room) {
    const char *fault = getenv("DISK_FAULT");
    (void)path;
    *room = (struct statvfs){ .f_blocks = 8, .f_bavail = 8, .f_files = 8, .f_favail = 8 };
    if (fault != NULL && strcmp(fault, "blocks") == 0) {
        room->f_bavail = 0;
    } else if (fault != NULL) {
        room->f_favail = 0;
    }
    return 0;
}

// ---- a device node

EXPORT int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const unsigned mode = va_arg(arguments, unsigned);
    va_end(arguments);
    const char *fault = getenv("OPEN_FAULT");
    const char *sign = fault != NULL ? strchr(fault, '=') : NULL;
    const char *name = strrchr(path, '/');
    if (sign != NULL && name != NULL && strncmp(name + 1, fault, (size_t)(sign - fault)) == 0 &&
        name[1 + (sign - fault)] == '\0') {
        if (strcmp(sign, "=hang") == 0) {
            wait_for_ever();
        }
        errno = atoi(sign + 1);
        return -1;
    }
    return openat(AT_FDCWD, path, flags, mode);
}
