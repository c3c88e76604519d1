// What only a cluster on EKS has.
#pragma once

#include "compiler/plan/model/plan_head.h"
#include "compiler/plan/model/plan_object.h"

// A change to an add-on.
typedef struct {
    PlanHead head;        // `id` is which: "efa"
    const Value *version; // known string; NULL: as dtc or eksctl has it
    const Value *off;     // VALUE_BOOL
} PlanAddon;

// What only a cluster on EKS has.
typedef struct {
    const Value *version;                      // known string, such as "1.34"; NULL: missing, and reported
    const Value *zones;                        // without a network: eksctl makes a VPC in these; NULL else
    const Value *existing;                     // name of a running cluster; NULL: it is made
    const Value *control_plane_security_group; // with `existing`; may be late; NULL else
    const Value *oidc;                         // VALUE_BOOL
    VEC(const PlanAddon *) addons;
    PlanObjects objects;
} PlanEks;
