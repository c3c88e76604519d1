// Memory that transfers read and write: that of the machine, or that of a GPU.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Device Device;

// Loads the CUDA driver and takes `bytes` bytes of GPU `number`. NULL, with a reason, where that cannot be done.
Device *device_open(int number, size_t bytes, char *reason, size_t reason_size);

// Where they begin, in the GPU's addresses.
void *device_memory(const Device *device);

// Copies from and to the GPU. False where the driver fails.
bool device_write(Device *device, size_t offset, const void *from, size_t len);
bool device_read(Device *device, size_t offset, void *to, size_t len);
