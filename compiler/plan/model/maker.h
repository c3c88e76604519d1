// Who makes a node group, and what follows from that.
#pragma once

#include "compiler/plan/model/plan.h"
#include "schema/names.h"

// Whether dtc writes the launch template of the group, and so places its network interfaces.
bool plan_has_own_template(const PlanNodes *nodes);

// Whether eksctl writes the launch template of the group.
bool plan_is_of_eksctl(const PlanNodes *nodes);

// Whether the group stands in a file for eksctl, with a launch template of ours or without.
bool plan_is_in_eksctl_file(const PlanNodes *nodes);

// Whether the group itself stands in a stack: of a cluster on AWS Batch, or of nodes for EKS.
bool plan_is_in_stack(const PlanNodes *nodes);

// Whether the file for eksctl names a launch template of ours for the group.
bool plan_names_own_template(const PlanNodes *nodes);

// Whether the group, or its launch template, stands in a stack of nodes for EKS.
bool plan_is_in_node_stack(const PlanNodes *nodes);

// Whether the group is one of the managed node groups of EKS.
bool plan_is_managed(const PlanNodes *nodes);

// Whether EKS replaces or restarts nodes of a group that it finds unhealthy: those of managed groups alone.
bool plan_is_repaired(const PlanNodes *nodes);

// The policies that the role of the nodes has beside what the author writes.
NameListId plan_policies_beside(const PlanNodes *nodes);
