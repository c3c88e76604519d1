// What a job may do, as the Plan has it: its role, the buckets that it reads and writes, and the secrets that it is
// given. How that becomes permissions is the target's: a role of the containers, or what the nodes have.
#pragma once

#include "compiler/plan/model/plan_head.h"

// What a job may do.
typedef struct {
    const Value *role;     // ARN, may be late; NULL: a role is made where there is something to allow
    const Value *policies; // list
} PlanAccess;
