// The steps of plan.json for stacks: the commands, and the order in which stacks can be made.
#pragma once

#include "emitters/cloudformation/stack.h"

// Fills the step of a finished template of `size` bytes.
void step_fill(Stack *stack, size_t size);

// Sets the waves of all artifacts from their needs.
void step_order(Output *output);
