// A compute environment of AWS Batch, in words of its own.
#pragma once

#include "compiler/plan/model/launch.h"

// An image of the service's own that new environments start from.
typedef struct {
    PlanField field;
    const ImageRow *row; // NULL: the rows have none of that name
} PlanServiceImage;

typedef VEC(PlanServiceImage) PlanServiceImages;

// What keeps other instances from a compute environment that is there: what is absent keeps nothing from it.
typedef struct {
    bool is_best_fit;   // its strategy is BEST_FIT, which is the default
    PlanField strategy; // AllocationStrategy
    PlanField role;     // ServiceRole, known to be another one than the service-linked role
    PlanField in_place; // ReplaceComputeEnvironment that is false
    PlanField name;     // ComputeEnvironmentName that another environment would have, too
} PlanUpdate;

// What a compute environment of AWS Batch says in words of its own. A declared group has its images alone.
typedef struct {
    PlanField kind;           // Type: "EC2", "FARGATE"; absent in a declared group
    PlanField cluster;        // EksConfiguration; only whether it is there
    PlanFields types;         // InstanceTypes: families, and words such as `optimal`, too
    PlanField most_vcpus;     // MaxvCpus
    PlanField own_image;      // that somebody names in the place of the service's
    PlanServiceImages images; // none where it may start from an author's
    Str template_name;        // as the author calls the launch template; empty: it is another file's
    Span template_key;        // where it is named
    PlanField template_id;
    PlanField version;
    PlanUpdate update;
} PlanBatchGroup;
