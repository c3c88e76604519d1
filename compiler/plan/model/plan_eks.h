// What only a cluster on EKS has.
#pragma once

#include "compiler/plan/model/plan_head.h"
#include "schema/objects.h"

// A change to an add-on.
typedef struct {
    PlanHead head;        // `id` is which: "efa"
    const Value *version; // known string; NULL: as dtc or eksctl has it
    const Value *off;     // VALUE_BOOL
} PlanAddon;

// A specification of pods in an object: of a Pod, or of what makes pods from a template.
typedef struct {
    const Value *spec; // VALUE_MAP
    Span span;         // of the key that it stands behind
} PlanPod;

// An object of Kubernetes that the author wrote.
typedef struct {
    const Subject *subject; // what findings are about
    const Resource *resource;
    const ObjectKindRow *row; // NULL: the rows have no such kind
    const Value *fields;      // VALUE_MAP: all that is written, at the top
    bool is_changed;          // by a patch: nobody knows what it ends up as
    VEC(PlanPod) pods;        // of every template in it
} PlanObject;

// What only a cluster on EKS has.
typedef struct {
    const Value *version;                      // known string, such as "1.34"; NULL: missing, and reported
    const Value *zones;                        // without a network: eksctl makes a VPC in these; NULL else
    const Value *existing;                     // name of a running cluster; NULL: it is made
    const Value *control_plane_security_group; // with `existing`; may be late; NULL else
    const Value *oidc;                         // VALUE_BOOL
    VEC(const PlanAddon *) addons;
    VEC(const PlanObject *) objects;
} PlanEks;
