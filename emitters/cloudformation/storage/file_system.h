// File systems that the stack of a cluster makes: FSx for Lustre with its links, EFS with its mount targets, and the
// security group through which nodes reach them.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Adds all of a cluster's. Nothing where there are none.
void file_systems_add(Stack *stack, const PlanCluster *cluster);

// The logical id of a file system that the cluster's stack makes.
Str file_system_id(const Stack *stack, const PlanCluster *cluster, const PlanStorage *storage);

// What nodes have to wait for that no reference of theirs names.
StackIds file_systems_before_nodes(Stack *stack, const PlanCluster *cluster);
