// Which nodes a pod asks for, and how much of one.
#pragma once

#include "compiler/semantics/value.h"
#include "schema/instance.h"

// The terms of the affinity to nodes that the pod requires: a node that meets one of them is enough. NULL: it requires none.
const Value *pod_required_terms(const Value *pod);

// What a label of the pod's node has to be, by `nodeSelector` and by a required affinity of one term: a string, or the list
// of an `In`. NULL where anything does, or nobody knows.
const Value *pod_wants_label(const Value *pod, const char *key);

// The one NodePool of Karpenter that the pod asks for, by its name; NULL where there are several, or nobody knows.
const Value *pod_pool(const Value *pod);

// The types that the pod may run on, like pod_wants_label().
const Value *pod_types(const Value *pod);

// The one instance type that the pod of this specification may run on; NULL where there are several, or nobody knows.
const Value *pod_type(const Value *pod);

// The type that a node's label names: SageMaker HyperPod writes `ml.` before it. NULL: dtc knows none of the name.
const InstanceRow *pod_row(Session *session, Str type);

// How much of a resource the pod asks for: all containers together, and each that runs before them alone. `*largest` is the
// most that one asks for.
double pod_asks(const Value *pod, Str name, const Value **largest);

// The limits of all containers of a pod on a device, which are what they get; -1: not known.
int64_t pod_limit(const Value *pod, Str name);

// Whether a resource is a device, which comes whole: it has the domain of whoever offers it. Kubernetes' own resources have
// none, or `kubernetes.io`.
bool pod_is_device(Str name);

// The most that pods of a node get of `has`, beside an amount that is too much.
Str node_most_text(Arena *arena, const char *name, double has, double amount);

Str node_amount_text(Arena *arena, const char *name, double amount);
