// Objects of Kubernetes as rules ask for them.
#pragma once

#include "compiler/semantics/extra.h"
#include "compiler/semantics/subject.h"
#include "schema/objects.h"

// A specification of pods in an object: of a Pod, or of what makes pods from a template.
typedef struct {
    const Value *spec;   // VALUE_MAP
    const Value *around; // VALUE_MAP: what directly holds it, beside the metadata of the pods
    const Value *outer;  // VALUE_MAP: what holds that, such as the specification of a Job
    Span span;           // of the key that it stands behind
} PlanPod;

// An object of Kubernetes that the author wrote: as a raw `resource`, or in a manifest.
typedef struct {
    const Subject *subject; // what findings are about
    const Resource *resource;
    const ObjectKindRow *row; // NULL: the rows have no such kind
    const Value *fields;      // VALUE_MAP: all that is written, at the top
    bool is_manifest;         // of a file of Kubernetes: the way out is in YAML
    bool is_changed;          // by a patch, or a part of one: nobody knows what it ends up as
    bool is_of_newer;         // for a cluster of a version that the rows do not know yet
    VEC(PlanPod) pods;        // of every template in it
} PlanObject;

// Adds the pods in the fields of an object.
void plan_find_pods(Arena *arena, PlanObject *object);

// Its name: of a raw `resource` without another one, that of the resource. Empty where it is not known.
Str plan_name_of_object(const PlanObject *object);

// `default` where nothing is written; empty where it is not known.
Str plan_namespace_of_object(const PlanObject *object);
