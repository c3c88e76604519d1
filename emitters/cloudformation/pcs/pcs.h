// The artifact of a cluster whose target is TARGET_PCS: a stack with the cluster, and for each group of nodes a compute
// node group and a queue.
#pragma once

#include "emitters/cloudformation/template/stack.h"

void pcs_emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output);

// The compute node group of a group, with its launch template and its role, and the queue.
void pcs_add_queue(Stack *stack, const PlanCluster *cluster, const PlanQueue *queue);
void pcs_add_group(Stack *stack, const PlanNodes *nodes);

// The logical id of the cluster.
Str pcs_cluster_id(const Stack *stack, const PlanCluster *cluster);
