// An image, as the Plan has it.
#pragma once

#include "compiler/plan/model/plan_head.h"

// A container image that jobs run, and the repository that it is in.
struct PlanImage {
    PlanHead head;
    const Value *repository;       // known string
    const Value *tag;              // known string
    bool is_existing;              // the repository is there already
    const struct PlanImage *maker; // the first image of that repository, whose block makes it; itself, mostly
    const PlanCluster *owner;      // the cluster whose stack makes the repository; NULL: a stack of its own
    const PlanCluster *user;       // the first cluster with a job from the repository, where this is its maker
    bool has_users;                // more than that one
    const PlanCluster *elsewhere;  // one of them in another region than the first; NULL: none is known
    const Value *is_emptied;       // the repository and its images go with the stack: known bool; NULL: they stay
    Str region;                    // of the repository's stack; empty: the deployment decides
};
