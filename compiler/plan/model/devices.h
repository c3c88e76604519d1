// The devices that pods ask for by name, and the plugins that offer them. Also says when eksctl's own plugin would not
// do.
#pragma once

#include "compiler/plan/model/plan.h"

typedef enum { DEVICE_NVIDIA, DEVICE_EFA, DEVICE_NEURON, DEVICE_COUNT } Device;

const PluginRow *device_row(Device device);

// The cluster's change to the add-on; NULL without.
const PlanAddon *device_addon(const PlanCluster *cluster, const char *addon);

bool device_is_on(Device device, const PlanNodes *nodes); // whether pods on such nodes can ask for it
bool device_is_in(Device device, const PlanCluster *cluster);

// Why the cluster needs a plugin of ours in place of eksctl's, as words that follow the plugin's name; empty where
// it needs none. `maker` is the block for which eksctl makes the cluster, plan_eks_maker().
Str device_reason(Arena *arena, Device device, const PlanCluster *cluster, const PlanCluster *maker);

// Whether nodes want a plugin that only the owner of a running cluster knows of.
bool device_is_assumed(Device device, const PlanCluster *cluster, const PlanCluster *maker);

// Whether `version` ("v0.5.9") counts no devices as EFA that are none on the type. A version that is no `vA.B.C` is
// taken for new enough.
bool device_counts_efa(Str version, const InstanceRow *type);
