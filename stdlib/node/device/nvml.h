// The part of NVML's interface that is used, loaded at run time: no header is needed to build, and no library on a node
// without GPUs. Numbers and layouts are those of NVIDIA's published header (NVIDIA/go-nvml@2f9e261 gen/nvml/nvml.h,
// 2026-07-01, read 2026-11). Structures with a version begin with it; a library of another one refuses them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *NvmlDevice;

// nvmlReturn_t
enum {
    NVML_SUCCESS = 0,
    NVML_INVALID_ARGUMENT = 2,
    NVML_NOT_SUPPORTED = 3,
    NVML_NO_PERMISSION = 4,
    NVML_NOT_FOUND = 6,
    NVML_DRIVER_NOT_LOADED = 9,
    NVML_FUNCTION_NOT_FOUND = 13,
    NVML_CORRUPTED_INFOROM = 14,
    NVML_GPU_IS_LOST = 15,
    NVML_RESET_REQUIRED = 16,
    NVML_VERSION_MISMATCH = 18, // of library and driver
    NVML_NO_DATA = 21,
    NVML_ARGUMENT_VERSION_MISMATCH = 25,
    NVML_DEPRECATED = 26,
    NVML_ABSENT = -1, // ours: the library has no such function
};

enum {
    NVML_UNCORRECTED = 1, // nvmlMemoryErrorType_t
    NVML_VOLATILE = 0,    // nvmlEccCounterType_t
    NVML_AGGREGATE = 1,
    NVML_LINKS_MAX = 36,
    NVML_LINK_REPLAY = 0, // nvmlNvLinkErrorCounter_t
    NVML_LINK_RECOVERY = 1,
    NVML_LINK_CRC_FLIT = 2,
    NVML_LINK_CRC_DATA = 3,
    NVML_FIELD_LINK_RECOVERY_FAILED = 214, // of a link in `scope`
    NVML_FIELD_RECOVERY_ACTION = 230,
    NVML_FABRIC_NOT_SUPPORTED = 0, // nvmlGpuFabricState_t
    NVML_FABRIC_COMPLETED = 3,
    NVML_FABRIC_UNHEALTHY = 2, // NVML_GPU_FABRIC_HEALTH_SUMMARY_*
    NVML_FABRIC_LIMITED = 3,
};

// nvmlClocksEventReason*, bits
enum {
    NVML_SLOW_HARDWARE = 0x8,
    NVML_SLOW_SOFTWARE_HEAT = 0x20,
    NVML_SLOW_HEAT = 0x40,
    NVML_SLOW_POWER_BRAKE = 0x80,
};

typedef struct NvmlPci { // nvmlPciInfo_t
    char legacy[16];
    unsigned domain, bus, device, id, subsystem;
    char address[32]; // "00000000:53:00.0"
} NvmlPci;

typedef struct NvmlSram { // nvmlEccSramErrorStatus_v1_t
    unsigned version;
    unsigned long long aggregate_parity, aggregate_secded, aggregate_corrected;
    unsigned long long volatile_parity, volatile_secded, volatile_corrected;
    unsigned long long buckets[5];
    unsigned is_above_threshold;
} NvmlSram;

typedef struct NvmlFabric { // nvmlGpuFabricInfo_v3_t; version 2 lacks the last field
    unsigned version;
    unsigned char cluster[16];
    int status;
    unsigned clique;
    unsigned char state;
    unsigned health_mask;
    unsigned char health;
} NvmlFabric;

typedef struct NvmlField { // nvmlFieldValue_t
    unsigned field, scope;
    long long timestamp, latency_us;
    int kind, result;
    union {
        unsigned small;
        unsigned long long large;
    } value;
} NvmlField;

#define NVML_VERSION_OF(type, number) ((unsigned)sizeof(type) | (unsigned)(number) << 24)

// member, name in the library, parameters
#define NVML_FUNCTIONS(NVML_FUNCTION)                                                                                \
    NVML_FUNCTION(init, "nvmlInit_v2", (void))                                                                       \
    NVML_FUNCTION(driver_version, "nvmlSystemGetDriverVersion", (char *, unsigned))                                  \
    NVML_FUNCTION(count, "nvmlDeviceGetCount_v2", (unsigned *))                                                      \
    NVML_FUNCTION(device, "nvmlDeviceGetHandleByIndex_v2", (unsigned, NvmlDevice *))                                 \
    NVML_FUNCTION(pci, "nvmlDeviceGetPciInfo_v3", (NvmlDevice, NvmlPci *))                                           \
    NVML_FUNCTION(ecc, "nvmlDeviceGetTotalEccErrors", (NvmlDevice, int, int, unsigned long long *))                  \
    NVML_FUNCTION(ecc_mode, "nvmlDeviceGetEccMode", (NvmlDevice, unsigned *, unsigned *))                            \
    NVML_FUNCTION(sram, "nvmlDeviceGetSramEccErrorStatus", (NvmlDevice, NvmlSram *))                                 \
    NVML_FUNCTION(rows, "nvmlDeviceGetRemappedRows", (NvmlDevice, unsigned *, unsigned *, unsigned *, unsigned *))   \
    NVML_FUNCTION(pages, "nvmlDeviceGetRetiredPagesPendingStatus", (NvmlDevice, int *))                              \
    NVML_FUNCTION(inforom, "nvmlDeviceValidateInforom", (NvmlDevice))                                                \
    NVML_FUNCTION(power, "nvmlDeviceGetPowerManagementLimit", (NvmlDevice, unsigned *))                              \
    NVML_FUNCTION(clocks, "nvmlDeviceGetCurrentClocksEventReasons", (NvmlDevice, unsigned long long *))              \
    NVML_FUNCTION(clocks_before, "nvmlDeviceGetCurrentClocksThrottleReasons", (NvmlDevice, unsigned long long *))    \
    NVML_FUNCTION(mig, "nvmlDeviceGetMigMode", (NvmlDevice, unsigned *, unsigned *))                                 \
    NVML_FUNCTION(link, "nvmlDeviceGetNvLinkState", (NvmlDevice, unsigned, int *))                                   \
    NVML_FUNCTION(link_errors, "nvmlDeviceGetNvLinkErrorCounter", (NvmlDevice, unsigned, int, unsigned long long *)) \
    NVML_FUNCTION(fields, "nvmlDeviceGetFieldValues", (NvmlDevice, int, NvmlField *))                                \
    NVML_FUNCTION(replays, "nvmlDeviceGetPcieReplayCounter", (NvmlDevice, unsigned *))                               \
    NVML_FUNCTION(width, "nvmlDeviceGetCurrPcieLinkWidth", (NvmlDevice, unsigned *))                                 \
    NVML_FUNCTION(width_most, "nvmlDeviceGetMaxPcieLinkWidth", (NvmlDevice, unsigned *))                             \
    NVML_FUNCTION(fabric, "nvmlDeviceGetGpuFabricInfoV", (NvmlDevice, NvmlFabric *))                                 \
    NVML_FUNCTION(name, "nvmlDeviceGetName", (NvmlDevice, char *, unsigned))

typedef struct Nvml {
#define NVML_FUNCTION(member, symbol, parameters) int(*member) parameters;
    NVML_FUNCTIONS(NVML_FUNCTION)
#undef NVML_FUNCTION
} Nvml;

// Loads the library. A function that it lacks is NULL, but for the first four, without which nothing can be asked.
bool nvml_load(Nvml *nvml, const char *path);

// Whether an answer says that the GPU has no such thing, or that the library does not know of it.
bool nvml_is_unknown(int result);
