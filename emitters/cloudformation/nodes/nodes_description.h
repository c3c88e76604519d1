// The description of a stack with node groups, where its block has none.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// "Cluster llm on AWS Batch: gpu (p5.48xlarge)". `*reason` is what chose the types that the text names.
Str nodes_description(Stack *stack, const PlanCluster *cluster, const char *service, const Origin **reason);
