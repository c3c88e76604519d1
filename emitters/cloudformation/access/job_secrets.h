// Secrets of a job's containers. ECS reads them with a role of their own, which the containers do not have.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Adds the role with which the secrets of a job are read; returns its id, which is empty where there are none.
Str job_secrets_role(Stack *stack, const PlanJob *job);

// Puts the secrets into the properties of a container, with `role`, the id of that role.
void job_secrets_put(Stack *stack, DocNode *container, const PlanJob *job, Str role);
