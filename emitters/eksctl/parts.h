// The parts of a ClusterConfig, a file each.
#pragma once

#include "emitters/plain.h"

// `vpc:` of a network that is there or that another stack makes; `availabilityZones:` where eksctl makes the VPC.
void eksctl_network(Plain *plain, const PlanCluster *cluster, DocNode *root);

// `addons:`, the drivers of the cluster's file systems, where it has any.
void eksctl_addons(Plain *plain, const PlanCluster *cluster, DocNode *root);

// `managedNodeGroups:` and `nodeGroups:`, each where there are any, without groups whose launch template is ours.
void eksctl_groups(Plain *plain, const PlanCluster *cluster, DocNode *root);

// `managedNodeGroups:` of groups whose launch template is ours.
void eksctl_template_groups(Plain *plain, const PlanCluster *cluster, DocNode *root);
