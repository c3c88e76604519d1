// What the pods of a job on EKS may do, by EKS Pod Identity.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Adds the association of a job's service account with its role, and the role where none is given.
void pod_identity_add(Stack *stack, const PlanJob *job);
