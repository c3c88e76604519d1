// The parts of a ClusterConfig, a file each.
#pragma once

#include "emitters/plain/plain.h"

// `vpc:` of a network that is there or that another stack makes; `availabilityZones:` where eksctl makes the VPC.
void eksctl_network(Plain *plain, const PlanCluster *cluster, DocNode *root);

// `clusterEndpoints:` of `vpc:`, behind eksctl_network().
void eksctl_endpoints(Plain *plain, DocNode *root);

// `addons:`, the drivers of the cluster's file systems, where it has any.
void eksctl_addons(Plain *plain, const PlanCluster *cluster, DocNode *root);

// `managedNodeGroups:` and `nodeGroups:`, each where there are any, without groups whose launch template is ours.
void eksctl_groups(Plain *plain, Output *output, const PlanCluster *cluster, DocNode *root);

// `preBootstrapCommands:` and `overrideBootstrapCommand:` of a group, each where there is something to say, and the
// decision about its bytes. `security_group` is what the file names beside those that eksctl makes; NULL without.
void eksctl_user_data(Plain *plain, Output *output, DocNode *group, const PlanNodes *nodes,
                      const Value *security_group);

// About how many bytes the template has that eksctl sends for a group with so much user data, before it is encoded.
size_t eksctl_stack_size(const PlanNodes *nodes, const Value *security_group, size_t user_data);

// `managedNodeGroups:` of groups whose launch template is ours.
void eksctl_template_groups(Plain *plain, const PlanCluster *cluster, DocNode *root);
