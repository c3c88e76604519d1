// Rules about jobs that are submitted to AWS Batch, and the definitions and queues in files beside theirs.
#pragma once

#include "compiler/plan/rules/together.h"

// The type of a request of `aws batch submit-job`, in CloudFormation's words.
#define SUBMITTED_JOB "AWS::Batch::Job"

// Whether a plan has a job definition or a queue, which jobs name.
bool submissions_have_place(const Plan *plan);

// Reports where the jobs of `plan` do not fit the definitions of `beside`, or name no queue of these.
void submissions_check(Session *session, const Plan *plan, const Plan *const *beside, uint32_t count);
