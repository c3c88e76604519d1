// Kubernetes objects among the raw resources of a cluster on EKS.
#pragma once

#include "compiler/plan/model/plan.h"

// "apps/v1/Deployment": an optional group, a version, a kind in upper camel case. False where the text is another one.
typedef struct {
    Str api;  // "apps/v1"
    Str kind; // "Deployment"
} PlanObjectType;

bool plan_object_type(Str text, PlanObjectType *type);

// Whether a raw resource of a part is an object of Kubernetes. It is inside of a cluster on EKS or a job on one, and its type has no
// `::`. Each type of CloudFormation has `::`.
bool plan_is_object(const PlanPart *part, const Resource *resource);

// The name in `metadata`; NULL where there is none, and the object is called as its `resource`.
const Value *plan_object_name(const Resource *resource);
