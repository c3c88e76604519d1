// dlopen() and a table of names.
#include "stdlib/node/device/nvml.h"

#include <dlfcn.h>
#include <string.h>

_Static_assert(sizeof(NvmlPci) == 68, "nvmlPciInfo_t");
_Static_assert(sizeof(NvmlSram) == 104, "nvmlEccSramErrorStatus_v1_t");
_Static_assert(sizeof(NvmlFabric) == 40, "nvmlGpuFabricInfo_v3_t");
_Static_assert(offsetof(NvmlFabric, health) == 36, "nvmlGpuFabricInfo_v2_t");
_Static_assert(sizeof(NvmlField) == 40, "nvmlFieldValue_t");

bool nvml_load(Nvml *nvml, const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    memset(nvml, 0, sizeof *nvml);
    if (handle == NULL) {
        return false;
    }
#define NVML_FUNCTION(member, symbol, parameters)    \
    {                                                \
        void *found = dlsym(handle, symbol);         \
        memcpy(&nvml->member, &found, sizeof found); \
    }
    NVML_FUNCTIONS(NVML_FUNCTION)
#undef NVML_FUNCTION
    return nvml->init != NULL && nvml->driver_version != NULL && nvml->count != NULL && nvml->device != NULL;
}

bool nvml_is_unknown(int result) {
    static const int UNKNOWN[] = { NVML_ABSENT,        NVML_INVALID_ARGUMENT,
                                   NVML_NOT_SUPPORTED, NVML_NO_PERMISSION,
                                   NVML_NOT_FOUND,     NVML_FUNCTION_NOT_FOUND,
                                   NVML_NO_DATA,       NVML_ARGUMENT_VERSION_MISMATCH,
                                   NVML_DEPRECATED };
    for (size_t i = 0; i < sizeof UNKNOWN / sizeof UNKNOWN[0]; i++) {
        if (UNKNOWN[i] == result) {
            return true;
        }
    }
    return false;
}
