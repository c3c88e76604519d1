// The role of a job's containers on AWS Batch.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Adds the role; returns its id.
Str job_role_add(Stack *stack, const PlanJob *job);
