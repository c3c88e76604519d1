// The policy by which an auto scaling group takes instances of several types.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Adds it to the properties of the auto scaling group, in place of the reference to the group's launch template. Of the
// group's capacity it says Spot or on demand, which the template then must not say.
void mixed_instances_add(Stack *stack, DocNode *group, const PlanNodes *nodes);
