// Groups of nodes on EKS that a stack of ours makes, rather than EKS or eksctl: one stack for all such groups of a
// cluster.
#pragma once

#include "emitters/cloudformation/stack.h"

// The artifact of a cluster on EKS that has such groups; nothing where it has none.
void node_group_emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output);

// The parameters with what nodes must know of the cluster to join it.
typedef struct {
    Str endpoint;
    Str authority;
    Str service_cidr;
    Str own_group; // the cluster's own security group; empty: the author names the control plane's
} NodeGroupAnswers;

// The name of the cluster that the nodes join, with text before it: "kubernetes.io/cluster/" or nothing.
DocNode *node_group_cluster_name(Stack *stack, const PlanCluster *cluster, const char *before);

// The user data of a group's nodes.
DocNode *node_group_user_data(Stack *stack, const PlanNodes *nodes, const NodeGroupAnswers *answers);
