// The capacity of a node group in a template, and its placement group.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// What a property is for each link of a capacity chain, as nested `!If`s. `make` returns NULL if the property is to be
// absent. The result is NULL if it is always absent, and has no `!If` if it is always the same.
typedef DocNode *CapacityNode(Stack *stack, const PlanCapacity *capacity);
DocNode *capacity_node(Stack *stack, const PlanCapacity *capacity, CapacityNode *make);

// The name of the group's placement group, which is added to the stack where it is new; NULL where there is none.
DocNode *placement_node(Stack *stack, const PlanNodes *nodes);
