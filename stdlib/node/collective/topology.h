// Which interfaces are nearest to which GPU: their paths in sysfs name the bridges above them, and those that hang from
// one bridge reach each other through it, without the processor.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DEVICES_MAX = 16, // GPUs of a node: p2.16xlarge has the most
    DEVICE_PATH_BYTES = 256,
    DEVICE_BUS_BYTES = 16, // "0000:53:00.0"
};

typedef char DevicePath[DEVICE_PATH_BYTES];

// Where a GPU is, by its PCI address, and an interface, by its name in libfabric; "" where sysfs does not say.
void topology_of_gpu(const char *root, const char *bus, DevicePath path);
void topology_of_interface(const char *root, const char *name, DevicePath path);

// Gives each GPU the interfaces, as bits, that it shares the most bridges with: several, if they are as near. An
// interface that is nearest to none goes to the GPU that is nearest to it, so that each has one.
void topology_pair(const DevicePath *interfaces, uint32_t interface_count, const DevicePath *gpus, uint32_t gpu_count,
                   uint32_t interfaces_of[DEVICES_MAX]);
