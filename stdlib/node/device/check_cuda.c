// Copies through CUDA's driver interface, loaded at run time: within a GPU's memory, and to it and back. What comes
// back is compared. Only a rate that somebody measured is a floor, and one that nobody measured on AWS only warns.
// Written to the driver's documented interface (CUDA Driver API, 2026-11).
#include "stdlib/node/device/checks.h"
#include "stdlib/node/device/child.h"
#include "stdlib/node/device/facts.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int Status;       // CUresult; 0 is CUDA_SUCCESS
typedef uint64_t Pointer; // CUdeviceptr

// member, name in the library, parameters
#define CUDA_FUNCTIONS(CUDA_FUNCTION)                                            \
    CUDA_FUNCTION(init, "cuInit", (unsigned))                                    \
    CUDA_FUNCTION(count, "cuDeviceGetCount", (int *))                            \
    CUDA_FUNCTION(get, "cuDeviceGet", (int *, int))                              \
    CUDA_FUNCTION(name, "cuDeviceGetName", (char *, int, int))                   \
    CUDA_FUNCTION(address, "cuDeviceGetPCIBusId", (char *, int, int))            \
    CUDA_FUNCTION(retain, "cuDevicePrimaryCtxRetain", (void **, int))            \
    CUDA_FUNCTION(release, "cuDevicePrimaryCtxRelease_v2", (int))                \
    CUDA_FUNCTION(set_current, "cuCtxSetCurrent", (void *))                      \
    CUDA_FUNCTION(allocate, "cuMemAlloc_v2", (Pointer *, size_t))                \
    CUDA_FUNCTION(free, "cuMemFree_v2", (Pointer))                               \
    CUDA_FUNCTION(allocate_host, "cuMemAllocHost_v2", (void **, size_t))         \
    CUDA_FUNCTION(free_host, "cuMemFreeHost", (void *))                          \
    CUDA_FUNCTION(to_device, "cuMemcpyHtoD_v2", (Pointer, const void *, size_t)) \
    CUDA_FUNCTION(to_host, "cuMemcpyDtoH_v2", (void *, Pointer, size_t))         \
    CUDA_FUNCTION(within, "cuMemcpyDtoD_v2", (Pointer, Pointer, size_t))         \
    CUDA_FUNCTION(synchronize, "cuCtxSynchronize", (void))

typedef struct Cuda {
#define CUDA_FUNCTION(member, symbol, parameters) Status(*member) parameters;
    CUDA_FUNCTIONS(CUDA_FUNCTION)
#undef CUDA_FUNCTION
} Cuda;

enum { NAME_BYTES = 96, COPIES = 8, HOST_BYTES = 64 << 20, DEVICE_BYTES = 256 << 20, MEGABYTE = 1000000 };

typedef struct Copying {
    Node node;
    Cuda cuda;
    Finding starts, memory, host;
} Copying;

typedef struct Gpu {
    int number;
    char address[NAME_BYTES], name[NAME_BYTES];
    Pointer from, to;
    unsigned char *bytes; // of the host, pinned
} Gpu;

static bool load(Cuda *cuda, const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    bool is_whole = handle != NULL;
    memset(cuda, 0, sizeof *cuda);
#define CUDA_FUNCTION(member, symbol, parameters)    \
    if (is_whole) {                                  \
        void *found = dlsym(handle, symbol);         \
        memcpy(&cuda->member, &found, sizeof found); \
        is_whole = found != NULL;                    \
    }
    CUDA_FUNCTIONS(CUDA_FUNCTION)
#undef CUDA_FUNCTION
    return is_whole;
}

static double now_s(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t rate(uint64_t bytes, double seconds) {
    return seconds > 0 ? (uint64_t)((double)bytes / seconds / MEGABYTE) : 0;
}

enum { WRONG_BYTES = -1 }; // none of CUDA's

// The best of several: noise only slows.
static Status copy_to_and_back(const Cuda *cuda, const Gpu *gpu, uint64_t *to, uint64_t *back) {
    Status status = 0;
    for (int i = 0; i < COPIES && status == 0; i++) {
        memset(gpu->bytes, 0x5a + i, HOST_BYTES);
        const double begin = now_s();
        status = cuda->to_device(gpu->from, gpu->bytes, HOST_BYTES);
        status = status != 0 ? status : cuda->synchronize();
        const double middle = now_s();
        memset(gpu->bytes, 0, HOST_BYTES);
        const double again = now_s();
        status = status != 0 ? status : cuda->to_host(gpu->bytes, gpu->from, HOST_BYTES);
        const double end = now_s();
        const uint64_t rates[] = { rate(HOST_BYTES, middle - begin), rate(HOST_BYTES, end - again) };
        *to = rates[0] > *to ? rates[0] : *to;
        *back = rates[1] > *back ? rates[1] : *back;
        for (size_t k = 0; k < HOST_BYTES && status == 0; k++) {
            status = gpu->bytes[k] == 0x5a + i ? 0 : WRONG_BYTES;
        }
    }
    return status;
}

// Reads and writes count both.
static Status copy_within(const Cuda *cuda, const Gpu *gpu, uint64_t *best) {
    Status status = 0;
    for (int i = 0; i < COPIES && status == 0; i++) {
        const double begin = now_s();
        status = cuda->within(gpu->to, gpu->from, DEVICE_BYTES);
        status = status != 0 ? status : cuda->synchronize();
        const uint64_t now = rate((uint64_t)2 * DEVICE_BYTES, now_s() - begin);
        *best = now > *best ? now : *best;
    }
    return status;
}

static void judge_memory(Finding *finding, const Gpu *gpu, uint64_t best) {
    enum { PERCENT = 100 };
    for (uint32_t i = 0; i < DEVICE_MEMORY_COUNT; i++) {
        const uint64_t floor = DEVICE_MEMORIES[i].megabytes_per_second * DEVICE_MEMORY_FLOOR_PERCENT / PERCENT;
        if (strcmp(DEVICE_MEMORIES[i].gpu, gpu->name) == 0 && best < floor) {
            finding_fault(finding, LEVEL_WARN, gpu->address, "%lluMB/s-below-%llu", (unsigned long long)best,
                          (unsigned long long)floor);
            return;
        }
        if (strcmp(DEVICE_MEMORIES[i].gpu, gpu->name) == 0) {
            finding_note(finding, gpu->address, "%lluMB/s", (unsigned long long)best);
            return;
        }
    }
    finding_note(finding, gpu->address, "%lluMB/s-unfloored", (unsigned long long)best);
}

static void note_call(Copying *copying, const char *call, const Gpu *gpu) {
    text_into(copying->node.findings->current, CURRENT_BYTES, "%s %s", call, gpu != NULL ? gpu->address : "");
}

static Status look_at(Copying *copying, Gpu *gpu) {
    const Cuda *cuda = &copying->cuda;
    void *context = NULL;
    int device = 0;
    uint64_t to = 0;
    uint64_t back = 0;
    uint64_t best = 0;
    void *bytes = NULL;
    text_into(gpu->address, sizeof gpu->address, "GPU%d", gpu->number);
    Status status = cuda->get(&device, gpu->number);
    status = status != 0 ? status : cuda->name(gpu->name, sizeof gpu->name, device);
    status = status != 0 ? status : cuda->address(gpu->address, sizeof gpu->address, device);
    note_call(copying, "start", gpu);
    status = status != 0 ? status : cuda->retain(&context, device);
    status = status != 0 ? status : cuda->set_current(context);
    status = status != 0 ? status : cuda->allocate(&gpu->from, DEVICE_BYTES);
    status = status != 0 ? status : cuda->allocate(&gpu->to, DEVICE_BYTES);
    status = status != 0 ? status : cuda->allocate_host(&bytes, HOST_BYTES);
    gpu->bytes = bytes;
    note_call(copying, "copy", gpu);
    status = status != 0 ? status : copy_to_and_back(cuda, gpu, &to, &back);
    status = status != 0 ? status : copy_within(cuda, gpu, &best);
    if (status == 0) {
        judge_memory(&copying->memory, gpu, best);
        finding_note(&copying->host, gpu->address, "to:%lluMB/s,back:%lluMB/s", (unsigned long long)to,
                     (unsigned long long)back);
    }
    (void)(bytes != NULL && cuda->free_host(bytes) != 0);
    (void)(gpu->to != 0 && cuda->free(gpu->to) != 0);
    (void)(gpu->from != 0 && cuda->free(gpu->from) != 0);
    (void)(context != NULL && cuda->release(device) != 0);
    return status;
}

static void copy_all(void *context) {
    enum { GPUS_MAX = 32 };
    Copying *copying = context;
    Findings *findings = copying->node.findings;
    Finding *starts = &copying->starts;
    int count = 0;
    note_call(copying, "load", NULL);
    if (!load(&copying->cuda, copying->node.cuda)) {
        starts->is_of_image = true;
        finding_fault(starts, LEVEL_FAIL, "library", "absent");
        findings_put(findings, starts);
        findings->current[0] = '\0';
        return;
    }
    note_call(copying, "init", NULL);
    Status status = copying->cuda.init(0);
    status = status != 0 ? status : copying->cuda.count(&count);
    if (status != 0) {
        starts->is_of_image = true;
        finding_fault(starts, LEVEL_FAIL, "init", "error:%d", status);
    }
    for (int i = 0; i < count && i < GPUS_MAX; i++) {
        Gpu gpu = { .number = i };
        finding_look(starts);
        status = look_at(copying, &gpu);
        if (status == WRONG_BYTES) {
            finding_fault(starts, LEVEL_FAIL, gpu.address, "wrong-bytes");
        } else if (status != 0) {
            finding_fault(starts, LEVEL_FAIL, gpu.address, "error:%d", status);
        }
    }
    findings_put(findings, starts);
    if (copying->memory.got_len > 0) {
        findings_put(findings, &copying->memory);
        findings_put(findings, &copying->host);
    }
    findings->current[0] = '\0';
}

void check_cuda(const Node *node) {
    if (node->findings->has_mig) {
        findings_skip(node->findings, DEVICE_CUDA, FINDINGS_MIG);
        return;
    }
    Copying *copying = calloc(1, sizeof *copying);
    if (copying == NULL) {
        findings_skip(node->findings, DEVICE_CUDA, "no memory");
        return;
    }
    *copying = (Copying){ .node = *node,
                          .starts = { .check = DEVICE_CUDA, .at = "libcuda.so.1" },
                          .memory = { .check = DEVICE_CUDA_MEMORY, .at = "cuMemcpyDtoD_v2" },
                          .host = { .check = DEVICE_CUDA_HOST, .at = "cuMemcpyHtoD_v2" } };
    const ChildEnd end = child_run(copy_all, copying, node->limit_ms);
    if (end == CHILD_HUNG || end == CHILD_CRASHED) {
        copying->starts.is_of_image = true; // the library's, as in check_nvml()
        finding_fault(&copying->starts, LEVEL_FAIL, node->findings->current, end == CHILD_HUNG ? "hangs" : "crashes");
        findings_put(node->findings, &copying->starts);
    }
    free(copying);
}
