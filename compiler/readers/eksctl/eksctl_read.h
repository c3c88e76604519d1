// What the files that read a ClusterConfig share.
#pragma once

#include "compiler/plan/model/cluster_config.h"
#include "compiler/plan/raw/raw.h"

typedef struct {
    RawStack *stack;
    const Subject *file;
    PlanClusterConfig *config;
    RawMap network; // `vpc`
} EksctlRead;

// Adds the network that the file makes or names, and the control plane in it.
void eksctl_read_network(EksctlRead *read, const RawMap *document);

// Adds what is known of the subnets of a group: their addresses, zones, and whether they are public. Behind the network.
void eksctl_read_subnets(const EksctlRead *read, const RawMap *map, const PlanEksctlGroup *written, PlanGroup *group);
