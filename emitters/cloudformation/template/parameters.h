// The `Parameters` section, and how the console shows it.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// The section for the params and images that the stack uses; NULL where there are none. Also adds what the console
// shows to the stack's metadata, and the parameters that must be given at deployment to its step.
DocNode *parameters_make(Stack *stack);
