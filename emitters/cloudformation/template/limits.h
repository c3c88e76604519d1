// CloudFormation's limits on a template, checked on the finished document.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Reports DT0501 to DT0503. `content` is the text of the template. True where its sections are maps, and no larger than
// CloudFormation takes.
bool limits_check(const Stack *stack, Str content);

// Whether a template can be sent with the request itself. A larger one takes a bucket.
bool limits_fits_request(Str content);

// Holds the properties of a finished job definition against the size that AWS Batch takes.
void limits_check_definition(const Stack *stack, const PlanJob *job, const DocNode *properties);

// Holds the inline policies of a finished role against what IAM takes. `head` is of the job or the nodes that take it.
void limits_check_role(const Stack *stack, const PlanHead *head, const DocNode *properties);

// The same for a finished managed policy.
void limits_check_policy(const Stack *stack, const PlanHead *head, const DocNode *properties);
