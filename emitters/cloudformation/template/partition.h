// Names that differ between AWS's partitions.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// The partition that the stack is deployed in; "aws" where only the deployment knows.
const char *partition_of(const Stack *stack);

// `in_china` in China and `elsewhere` in every other partition: one of them where the region is known, else !If of
// both.
DocNode *partition_choice(Stack *stack, Why reason, DocNode *in_china, DocNode *elsewhere);

// The principal of a service in a policy: "ec2.amazonaws.com".
DocNode *partition_principal(Stack *stack, Why reason, const char *service);
