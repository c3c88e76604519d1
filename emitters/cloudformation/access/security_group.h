// The security group for EFA traffic. It is in the stack of the network, or in that of the cluster if the network has
// none.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Adds the group and its rules under ids of `block`; takes `vpc`. Returns the properties of the group.
DocNode *security_group_add(Stack *stack, Str block, const char *role, const char *description, Why reason,
                            DocNode *vpc);
DocNode *security_group_add_efa(Stack *stack, Str block, DocNode *vpc);
