// The SSH key of a cluster's multi-node jobs, with which their nodes reach each other. The stack makes an empty secret,
// and a step after it fills the secret, so that no file ever holds the key.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// The secret's logical id.
Str ssh_key_id(const Stack *stack, const PlanCluster *cluster);

// The secret, the key that it is encrypted with, and an output; the step that fills it goes to `output`.
void ssh_key_add(Stack *stack, const PlanCluster *cluster, Output *output);

// Lets a role read it: a policy among its `properties`.
void ssh_key_allow(Stack *stack, const PlanCluster *cluster, DocNode *properties);
