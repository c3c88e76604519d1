// Image repositories (Amazon ECR), in the stack of the cluster that uses the image, or in a stack of their own.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Adds an image's repository to a stack, with its outputs. `tags` may be NULL.
void repository_add(Stack *stack, const PlanImage *image, const Value *tags);

// The artifact of an image that no cluster owns and that is not there already.
void repository_emit(Session *session, const Plan *plan, const PlanImage *image, Output *output);
