// What a node keeps back, from the rows of its type.
#include "compiler/plan/model/node_room.h"

#include "schema/schema.h"
#include "schema/limits.h"
#include "schema/pod_devices.h"

double node_amount(const InstanceRow *row, const char *name) {
    const Str text = str_of(name);
    if (str_is(text, "cpu")) {
        return row->vcpus < 1 ? -1 : row->vcpus;
    }
    if (str_is(text, "memory")) {
        return row->memory_mib < 1 ? -1 : (double)row->memory_mib * 0x1p20;
    }
    const PodDevice *device = pod_device(text);
    return device == NULL ? -1 : (double)pod_device_amount(device, row);
}

// awslabs/amazon-eks-ami, nodeadm/internal/kubelet/config.go, 2026-11.
static double kept_cpus(double vcpus, NodeKeeps keeps) {
    static const double PARTS[] = { 0.06, 0.01, 0.005, 0.005 }; // of the first core, the second, the next two
    double sum = 0;
    for (int i = 0; keeps == KEEPS_KUBELET && i < (int)vcpus; i++) {
        sum += i < (int)COUNT_OF(PARTS) ? PARTS[i] : 0.0025;
    }
    return sum;
}

static double kept_memory(double memory, NodeKeeps keeps) {
    const double kernel = memory * (double)schema_constant(CONSTANT_MEMORY_KERNEL_PER_MILLE) / 1000;
    const double kubelet = (LIMIT_KUBELET_KEPT_MIB + LIMIT_KUBELET_EVICTION_MIB) * 0x1p20;
    return kernel + (keeps == KEEPS_KUBELET ? kubelet : 0);
}

double node_room(const InstanceRow *row, const char *name, NodeKeeps keeps) {
    const double amount = node_amount(row, name);
    if (amount <= 0) {
        return amount;
    }
    const Str text = str_of(name);
    return str_is(text, "cpu")      ? amount - kept_cpus(amount, keeps)
           : str_is(text, "memory") ? amount - kept_memory(amount, keeps)
                                    : amount;
}

int64_t node_memory_to_ask_mib(const InstanceRow *row) {
    const int64_t share = row->memory_mib * schema_constant(CONSTANT_MEMORY_RESERVE_PERCENT) / 100;
    const int64_t least = schema_constant(CONSTANT_MEMORY_RESERVE_LEAST_MIB);
    const int64_t kept = share > least ? share : least;
    return row->memory_mib > kept ? row->memory_mib - kept : row->memory_mib / 2;
}
