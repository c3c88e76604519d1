// A resource of CloudFormation, of whatever type, as rules ask for it: a raw `resource` of infra.dt, or one of a template.
#pragma once

#include "compiler/plan/model/part.h"

typedef struct {
    const Subject *subject;
    const Resource *resource;     // its type and its properties
    const PlanPart *part;         // that a raw `resource` stands in; NULL: it is a template's
    const ValueEntry *attributes; // of a raw one they stand among its properties, and this is all of those
    uint32_t attribute_count;
    bool is_object;   // of Kubernetes, and none of CloudFormation
    Str region;       // that it is deployed in; empty: the deployment decides
    Span region_span; // of the zone of a template that says so
} PlanResource;

typedef VEC(const PlanResource *) PlanResources;
