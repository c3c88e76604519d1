// What device plugins offer to pods (pod_devices.def).
#pragma once

#include "schema/instance.h"

typedef struct {
    const char *name;            // under `limits`
    AcceleratorKind accelerator; // ACCELERATOR_NONE: EFA interfaces
    bool is_core;                // of a device
} PodDevice;

enum { POD_DEVICES_MAX = 16 }; // there are no more

extern const PodDevice POD_DEVICES[];
extern const size_t POD_DEVICE_COUNT;

const PodDevice *pod_device(Str name); // NULL: a plugin of somebody else, or no device

// How many a node of the type offers; below 0 where no source says. A part of a GPU is offered as one.
int64_t pod_device_amount(const PodDevice *device, const InstanceRow *row);
