// GPU memory through CUDA's driver interface, loaded at run time: no toolkit is needed to build and none to run on a
// node without GPUs. Only copies: sums on GPUs are nccl-tests' to check. Written to the driver's documented interface
// and not run on a GPU with EFA.
#include "stdlib/node/collective/device.h"

#include "stdlib/node/collective/text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef int Status;       // CUresult; 0 is CUDA_SUCCESS
typedef uint64_t Pointer; // CUdeviceptr

// The driver hands out smaller pieces of a block to several, and a block is what is registered with an interface.
enum { BLOCK = 2 << 20 };

struct Device {
    Status (*init)(unsigned);
    Status (*count)(int *);
    Status (*get)(int *, int);
    Status (*bus)(char *, int, int);
    Status (*retain)(void **, int);
    Status (*set_current)(void *);
    Status (*allocate)(Pointer *, size_t);
    Status (*to_device)(Pointer, const void *, size_t);
    Status (*to_host)(void *, Pointer, size_t);
    Status (*synchronize)(void);
    void *context;
    Pointer memory;
    char address[DEVICE_BUS_BYTES];
};

static const char NO_DRIVER[] = "the CUDA driver, libcuda.so.1, cannot be loaded";

static bool look_up(void *handle, const char *name, void *function, size_t size) {
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, size);
    return symbol != NULL;
}

static bool load(Device *device) {
    void *handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    return handle != NULL && look_up(handle, "cuInit", &device->init, sizeof device->init) &&
           look_up(handle, "cuDeviceGetCount", &device->count, sizeof device->count) &&
           look_up(handle, "cuDeviceGet", &device->get, sizeof device->get) &&
           look_up(handle, "cuDeviceGetPCIBusId", &device->bus, sizeof device->bus) &&
           look_up(handle, "cuDevicePrimaryCtxRetain", &device->retain, sizeof device->retain) &&
           look_up(handle, "cuCtxSetCurrent", &device->set_current, sizeof device->set_current) &&
           look_up(handle, "cuMemAlloc_v2", &device->allocate, sizeof device->allocate) &&
           look_up(handle, "cuMemcpyHtoD_v2", &device->to_device, sizeof device->to_device) &&
           look_up(handle, "cuMemcpyDtoH_v2", &device->to_host, sizeof device->to_host) &&
           look_up(handle, "cuCtxSynchronize", &device->synchronize, sizeof device->synchronize);
}

uint32_t device_count(char *reason, size_t reason_size) {
    Device device = { 0 };
    int count = 0;
    if (!load(&device)) {
        text_into(reason, reason_size, "%s", NO_DRIVER);
        return 0;
    }
    Status status = device.init(0);
    status = status != 0 ? status : device.count(&count);
    if (status != 0 || count < 1) {
        text_into(reason, reason_size, "the CUDA driver has no GPU: error %d", status);
        return 0;
    }
    return (uint32_t)count;
}

Device *device_open(int number, size_t bytes, char *reason, size_t reason_size) {
    Device *device = calloc(1, sizeof *device);
    if (device == NULL || !load(device)) {
        text_into(reason, reason_size, "%s", NO_DRIVER);
        free(device);
        return NULL;
    }
    int handle = 0;
    Status status = device->init(0);
    status = status != 0 ? status : device->get(&handle, number);
    status = status != 0 ? status : device->retain(&device->context, handle);
    status = status != 0 ? status : device->bus(device->address, (int)sizeof device->address, handle);
    status = status != 0 ? status : device->set_current(device->context);
    status = status != 0 ? status : device->allocate(&device->memory, (bytes + BLOCK - 1) / BLOCK * BLOCK);
    if (status != 0) {
        text_into(reason, reason_size, "GPU %d gives no memory: CUDA error %d", number, status);
        free(device);
        return NULL;
    }
    return device;
}

void *device_memory(const Device *device) {
    return (void *)(uintptr_t)device->memory;
}

const char *device_bus(const Device *device) {
    return device->address;
}

bool device_write(Device *device, size_t offset, const void *from, size_t len) {
    // A copy from memory that is not pinned may return before it has arrived, and the interface reads past the GPU's
    // order (CUDA Driver API, API synchronization behavior, 2026-11).
    return device->set_current(device->context) == 0 && device->to_device(device->memory + offset, from, len) == 0 &&
           device->synchronize() == 0;
}

bool device_read(Device *device, size_t offset, void *to, size_t len) {
    return device->set_current(device->context) == 0 && device->to_host(to, device->memory + offset, len) == 0;
}
