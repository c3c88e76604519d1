// The stack of a cluster on AWS Batch. It has a launch template, a compute environment and a queue for each node group,
// the repositories of its images, and the definitions of its jobs.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// The artifact of a cluster whose target is TARGET_BATCH.
void batch_emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output);

// The parts, each in a file of its own.
void batch_add_compute_environment(Stack *stack, const PlanNodes *nodes); // with its role, placement group and queue
void batch_add_user_data(Stack *stack, DocNode *data, const PlanNodes *nodes);          // nothing where there is none
void batch_add_scratch_mount(Stack *stack, DocNode *container, const PlanNodes *nodes); // the same
void batch_add_job_definition(Stack *stack, const PlanJob *job);
void batch_add_first_job(Stack *stack, const PlanNodes *nodes); // with its program; nothing where there is none
