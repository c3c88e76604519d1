// Node groups on EKS that a stack of dtc makes, and not EKS or eksctl. Also the launch templates of managed groups that
// eksctl cannot write. All such groups of a cluster are in one stack.
#pragma once

#include "emitters/cloudformation/template/stack.h"
#include "emitters/node/eks_choice.h"

// How long creating and updating a group wait for a node. A p5 is up in about ten minutes. CloudFormation waits for an
// hour at most (CloudFormation User Guide, UpdatePolicy attribute, PauseTime, 2026-11).
enum { NODE_GROUP_WAIT_MINUTES = 30 };

// The artifact of a cluster on EKS that has such groups; nothing where it has none.
void node_group_emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output);

// The parameters with facts about the cluster. Nodes need the first three to join it. They are empty if EKS tells the
// nodes.
typedef struct {
    Str endpoint;
    Str authority;
    Str service_cidr;
    Str vpc; // empty: the network tells
} NodeGroupAnswers;

// The security groups of each interface of a group's nodes, as a list.
DocNode *node_group_interface_groups(Stack *stack, const PlanNodes *nodes);

// Adds the launch template of a managed group, which eksctl is told by its id, and the outputs that tell it.
void managed_template_add(Stack *stack, const PlanNodes *nodes, const NodeGroupAnswers *answers);

// How many nodes there are at first.
const Value *node_joining_first(const PlanNodes *nodes);

// Has the group of that id wait for its nodes when it is made and when it is updated.
void node_joining_add(Stack *stack, const PlanNodes *nodes, Str id);

// How a group's nodes start, as `write` puts it down. The stack's step waits for the files that they fetch.
EksStart node_group_start(Stack *stack, const PlanNodes *nodes, EksStartWrite *write, void *state);

// The user data of a group's nodes.
DocNode *node_group_user_data(Stack *stack, const PlanNodes *nodes, const NodeGroupAnswers *answers);
