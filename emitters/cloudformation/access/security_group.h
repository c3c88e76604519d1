// The security group for EFA traffic. It is in the stack of the network, or in that of the cluster if the network has
// none.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Adds the group and its rules under ids of `block`; takes `vpc`. Returns the properties of the group.
DocNode *security_group_add(Stack *stack, Str block, const char *role, const char *description, Why reason,
                            DocNode *vpc);
DocNode *security_group_add_efa(Stack *stack, Str block, DocNode *vpc);

// The group of a cluster's nodes, if the network has none for one of them: it is in the network's VPC then.
void security_group_add_of(Stack *stack, const PlanCluster *cluster);

// A list of the group of a group's nodes, which is the network's or the one of security_group_add_of().
DocNode *security_groups_of(Stack *stack, const PlanNodes *nodes);
