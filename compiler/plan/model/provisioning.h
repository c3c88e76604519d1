// The provisioning parameters of a HyperPod cluster: a file beside its lifecycle scripts, from which HyperPod sets up Slurm.
#pragma once

#include "compiler/plan/model/field.h"
#include "compiler/semantics/subject.h"

// Nodes that Slurm gets as a partition.
typedef struct {
    PlanField group;     // instance_group_name
    PlanField partition; // partition_name
    Span span;
} PlanProvisionedWorkers;

typedef struct PlanProvisioning {
    const Subject *subject;
    Span span;
    const ValueEntry *keys; // of the file
    uint32_t key_count;
    PlanField controller; // controller_group
    PlanField login;      // login_group
    VEC(PlanProvisionedWorkers) groups;
    PlanField lustre;     // fsx_dns_name
    PlanField mount_name; // fsx_mountname

    // Of the HyperPod cluster whose request stands beside the file.
    Str cluster; // its name; empty: none is known, or several are
    VEC(PlanField) instance_groups;
} PlanProvisioning;
