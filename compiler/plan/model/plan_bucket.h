// A bucket in S3, as the Plan has it.
#pragma once

#include "compiler/plan/model/plan_head.h"

// A bucket that this build makes, in a stack of its own, or one that is there. What is NULL was not given.
struct PlanBucket {
    PlanHead head;
    const Value *bucket;       // its name where it is made; may be late; NULL: CloudFormation gives it one
    const Value *existing;     // name of one that is there already; may be late; NULL: it is made
    const Value *kms_key;      // may be late
    const Value *versions;     // VALUE_BOOL
    const Value *old_versions; // VALUE_DURATION
    const Value *expiry;       // map of VALUE_DURATION by what keys begin with
    const Value *keep;         // VALUE_BOOL
    const Value *tags;         // map
    Str region;                // of its stack; empty: the deployment decides
};
