// Memory that transfers read and write: that of the machine, or that of a GPU.
#pragma once

#include "stdlib/node/collective/topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Device Device;

// How many GPUs the CUDA driver has. 0, with a reason, where it cannot be loaded or has none.
uint32_t device_count(char *reason, size_t reason_size);

// Loads the CUDA driver and takes `bytes` bytes of GPU `number`. NULL, with a reason, where that cannot be done.
Device *device_open(int number, size_t bytes, char *reason, size_t reason_size);

// Where they begin, in the GPU's addresses.
void *device_memory(const Device *device);

// Where the GPU is on the PCI bus, as CUDA writes it.
const char *device_bus(const Device *device);

// Copies from and to the GPU. False where the driver fails.
bool device_write(Device *device, size_t offset, const void *from, size_t len);
bool device_read(Device *device, size_t offset, void *to, size_t len);
