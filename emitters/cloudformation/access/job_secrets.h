// Secrets of a job's containers. ECS reads them with a role of their own, which the containers do not have; on EKS they
// are read with the role of the pods.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Adds the role with which the secrets of a job are read; returns its id, which is empty where there are none.
Str job_secrets_role(Stack *stack, const PlanJob *job);

// Lets a role read the secrets: a policy among its properties; nothing where the job has none. `is_driver` says that the
// driver of EKS reads them.
void job_secrets_allow(Stack *stack, DocNode *role, const PlanJob *job, bool is_driver);

// Puts the secrets into the properties of a container, with `role`, the id of that role.
void job_secrets_put(Stack *stack, DocNode *container, const PlanJob *job, Str role);
