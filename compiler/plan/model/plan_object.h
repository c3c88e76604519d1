// Objects of Kubernetes as rules ask for them.
#pragma once

#include "compiler/semantics/extra.h"
#include "compiler/semantics/subject.h"
#include "schema/objects.h"
#include "schema/workloads.h"

// A specification of pods in an object: of a Pod, or of what makes pods from a template.
typedef struct {
    const Value *spec;   // VALUE_MAP
    const Value *around; // VALUE_MAP: what directly holds it, beside the metadata of the pods
    const Value *outer;  // VALUE_MAP: what holds that, such as the specification of a Job
    Span span;           // of the key that it stands behind
    const PodsRow *row;  // NULL: a template of a kind without rows
    bool is_part;        // of a template that is not here: what it lacks may be there
    const Value *item;   // of the list or the map that the row goes through, the innermost; NULL: none
} PlanPod;

struct PlanObject;
typedef VEC(const struct PlanObject *) PlanObjects;

// An object of Kubernetes that the author wrote: as a raw `resource`, or in a manifest.
typedef struct PlanObject {
    const Subject *subject; // what findings are about
    const Resource *resource;
    const ObjectKindRow *row;                   // NULL: the rows have no such kind
    const WorkloadKind *kind;                   // NULL: it makes no pods, or the rows do not say how
    const PlanObjects *beside;                  // it stands among these
    const Value *fields;                        // VALUE_MAP: all that is written, at the top
    bool is_manifest;                           // of a file of Kubernetes: the way out is in YAML
    bool is_changed;                            // by a patch, or a part of one: nobody knows what it ends up as
    bool is_of_newer;                           // for a cluster of a version that the rows do not know yet
    VEC(PlanPod) pods;                          // of every template in it
    VEC(const struct PlanWorkload *) workloads; // the containers of these pods
    const struct PlanFileSystem *system;        // what a class of volumes makes; NULL: it is none
} PlanObject;

// Whether its kind is one of which all of this is so.
bool plan_object_is(const PlanObject *object, unsigned traits);

// Whether it is the copy of an object of a cluster, which the API server has taken once: with the `uid` that it gave.
bool plan_object_is_copy(const PlanObject *object);

// What stands at a path of a row, without `*`: "spec.minAvailable". NULL where nothing does, and of no path.
const Value *plan_value_at(const Value *fields, Str path);

// Finds the kind of an object, and adds the pods in its fields.
void plan_find_pods(Arena *arena, PlanObject *object);

// Its name: of a raw `resource` without another one, that of the resource. Empty where it is not known.
Str plan_name_of_object(const PlanObject *object);

// `default` where nothing is written; empty where it is not known.
Str plan_namespace_of_object(const PlanObject *object);
