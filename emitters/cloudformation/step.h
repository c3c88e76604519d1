// The steps of plan.json for stacks: the commands, and the order in which stacks can be made.
#pragma once

#include "emitters/cloudformation/stack.h"

// Adds a parameter's name as an environment variable: BLOCK_ID, or PATH_ where a shell has a variable of that name.
void step_add_variable(StrBuf *text, Str parameter);

// Fills the step of a finished template of `size` bytes.
void step_fill(Stack *stack, size_t size);

// Adds the step that makes an ssh key and puts it into a secret of the stack, whose logical id is `id`.
void step_add_ssh_key(const Stack *stack, Str id, Output *output);

// Whether a step makes the stack. eksctl gives the stack of a cluster a name of its own.
bool step_makes(Arena *arena, const PlanStep *step, Str stack);

// Sets the waves of all artifacts, and of steps without a file, from their needs. What it takes to know is of `arena`.
void step_order(Arena *arena, Output *output);
