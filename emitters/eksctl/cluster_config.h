// The parts of a ClusterConfig, each in a file of its own.
#pragma once

#include "emitters/tool/tool_file.h"

// `vpc:` of a network that is there or that another stack makes; `availabilityZones:` where eksctl makes the VPC.
void eksctl_network(ToolFile *file, const PlanCluster *cluster, DocNode *root);

// `clusterEndpoints:` of `vpc:`, behind eksctl_network().
void eksctl_endpoints(ToolFile *file, DocNode *root);

// `addons:`, the drivers of the cluster's file systems and what gives jobs their roles, where it has any.
void eksctl_addons(ToolFile *file, const PlanCluster *cluster, DocNode *root);

// `managedNodeGroups:` and `nodeGroups:`, each where there are any, without groups whose launch template is ours.
void eksctl_groups(ToolFile *file, Output *output, const PlanCluster *cluster, DocNode *root);

// `preBootstrapCommands:` and `overrideBootstrapCommand:` of a group, each where there is something to say, and the
// decision about its bytes. `security_group` is what the file names beside those that eksctl makes; NULL without.
void eksctl_user_data(ToolFile *file, Output *output, DocNode *group, const PlanNodes *nodes,
                      const Value *security_group);

// About how many bytes the template has that eksctl sends for a group with so much user data, before it is encoded.
size_t eksctl_stack_size(const PlanNodes *nodes, const Value *security_group, size_t user_data);

// `managedNodeGroups:` of groups whose launch template is ours.
void eksctl_template_groups(ToolFile *file, const PlanCluster *cluster, DocNode *root);
