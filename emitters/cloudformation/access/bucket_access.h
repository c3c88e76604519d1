// Lets a role work with buckets: what a job reads and writes.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Adds a policy to the properties of a role; nothing where the job names no bucket.
void bucket_access_allow(Stack *stack, DocNode *role, const PlanAccess *access);

// The statements of that policy alone, into an empty document.
void bucket_access_add(Stack *stack, DocNode *document, const PlanAccess *access);
