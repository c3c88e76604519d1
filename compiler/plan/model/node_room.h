// How much of a node is there for containers. The kernel keeps a part of its memory, and the kubelet of a node of
// Kubernetes a part of what is left and of the CPUs. Each other resource is there as a whole.
#pragma once

#include "schema/instance.h"

// Who keeps something back.
typedef enum {
    KEEPS_KERNEL,  // of a node of AWS Batch or Slurm, or of one that somebody else set up: the kernel alone
    KEEPS_KUBELET, // of a node of EKS, as its images set it up: the kubelet as well
} NodeKeeps;

// How much of a resource such as "cpu" or "memory" the type has, in cores and bytes; -1 where no source says.
double node_amount(const InstanceRow *row, const char *name);

// The most of it that containers get together: more is too much on each node of the type. -1 where no source says.
double node_room(const InstanceRow *row, const char *name, NodeKeeps keeps);

// Memory in MiB that a job asks for where its author says nothing. It is less than node_room, as what agents and the
// container runtime take is not known to the byte.
int64_t node_memory_to_ask_mib(const InstanceRow *row);
