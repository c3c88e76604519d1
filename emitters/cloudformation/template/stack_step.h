// The steps of plan.json for stacks: the commands that make and delete them.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Fills the step of a finished template of `size` bytes.
void step_fill(Stack *stack, size_t size);

// The key of the step that fills the secret of a stack.
Str step_ssh_key(Arena *arena, Str stack);

// Adds the step that makes an ssh key and puts it into a secret of the stack, whose logical id is `id`.
void step_add_ssh_key(const Stack *stack, Str id, Output *output);
