// What a job may do: its role, and what a role that dtc makes allows.
#include "compiler/plan/build/builder.h"

#include "compiler/plan/build/read.h"

const PlanAccess *build_access(Builder *builder, const Block *job) {
    PlanAccess *access = arena_new(builder->arena, PlanAccess);
    access->role = read_given(builder, job, JOB_ROLE);
    access->policies = build_policies(builder, job, JOB_POLICIES);
    return access;
}
