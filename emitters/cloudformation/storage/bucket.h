// Buckets in S3, each in a stack of its own.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// The artifact of a bucket that is not there already.
void bucket_emit(Session *session, const Plan *plan, const PlanBucket *bucket, Output *output);
