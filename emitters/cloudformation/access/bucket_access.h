// Lets a role work with buckets: what a job reads and writes.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Adds a policy to the properties of a role; nothing where the job names no bucket.
void bucket_access_allow(Stack *stack, DocNode *role, const PlanAccess *access);
