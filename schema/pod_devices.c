// The rows of pod_devices.def, and what instances have of each.
#include "schema/pod_devices.h"

const PodDevice POD_DEVICES[] = {
#define POD_DEVICE(...) { __VA_ARGS__ },
#include "schema/pod_devices.def"
};

_Static_assert(COUNT_OF(POD_DEVICES) <= POD_DEVICES_MAX, "lists of what a pod asks for have room for all");

const size_t POD_DEVICE_COUNT = COUNT_OF(POD_DEVICES);

const PodDevice *pod_device(Str name) {
    for (size_t i = 0; i < COUNT_OF(POD_DEVICES); i++) {
        if (str_is(name, POD_DEVICES[i].name)) {
            return &POD_DEVICES[i];
        }
    }
    return NULL;
}

int64_t pod_device_amount(const PodDevice *device, const InstanceRow *row) {
    if (device->accelerator == ACCELERATOR_NONE) {
        return row->efa_max;
    }
    if (row->accelerator != device->accelerator) {
        return 0;
    }
    if (row->accelerator_share != NULL) {
        return 1;
    }
    const int parts = !device->is_core ? 1 : row->neuron_cores > 0 ? row->neuron_cores : -1;
    return row->accelerators < 0 || parts < 0 ? -1 : (int64_t)row->accelerators * parts;
}
