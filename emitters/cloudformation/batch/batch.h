// The stack of a cluster on AWS Batch. It has a launch template and a compute environment for each node group, queues,
// the repositories of its images, and the definitions of its jobs.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// The artifact of a cluster whose target is TARGET_BATCH.
void batch_emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output);

// The parts, each in a file of its own.
void batch_add_compute_environment(Stack *stack, const PlanNodes *nodes); // with its role and placement group
void batch_add_own_queue(Stack *stack, const PlanNodes *nodes);           // nothing if a queue names the group
void batch_add_queue(Stack *stack, const PlanCluster *cluster, const PlanQueue *queue); // with its scheduling policy
Str batch_queue_id(const Stack *stack, const PlanNodes *nodes); // of the queue that takes the nodes of a group
void batch_add_user_data(Stack *stack, DocNode *data, const PlanNodes *nodes); // nothing where there is none
void batch_add_volumes(Stack *stack, DocNode *container, const PlanJob *job);  // the same
void batch_add_job_definition(Stack *stack, const PlanJob *job);
void batch_add_submission(Stack *stack, const PlanJob *job, Output *output); // a step, after the stack's
void batch_add_first_job(Stack *stack, const PlanNodes *nodes); // with its program; nothing where there is none
