// The containers of a job definition of AWS Batch, as its author wrote it: one, one for each range of nodes, or those of
// its tasks.
#pragma once

#include "compiler/plan/model/plan_resource.h"

typedef struct {
    const Value *container;
    const Value *volumes; // that it may mount; NULL: none
} JobContainer;

typedef VEC(JobContainer) JobContainers;

// None where the resource is of another type. Pods are not among them.
JobContainers job_containers(Arena *arena, const Resource *resource);

// Those of one entry of `NodeRangeProperties`.
JobContainers job_containers_of_range(Arena *arena, const Value *range);
