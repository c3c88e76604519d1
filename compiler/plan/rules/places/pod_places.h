// Which groups of nodes can take a pod: those that a cluster declares, those in files beside a manifest, or the one pool of
// Karpenter that the pod asks for.
#pragma once

#include "compiler/plan/rules/rules.h"

// Where a pod looks for its node.
typedef struct {
    Str name; // of the cluster, or of the pool
    VEC(const PlanGroup *) items;
    bool is_whole;        // there are no other nodes; else a pod that asks for none of these may run elsewhere
    bool are_taints_told; // another rule speaks of them
    bool are_gpus_shared; // pods find more GPUs on a node than it has
} PodGroups;

// Reports a label that no group has, taints that keep the pod off, and more of a resource than a node has. What is not
// known of a group counts as if it could take the pod. The only group that can; NULL where there are several, or none, or
// something was reported of where it can go.
const PlanGroup *pod_places_check(Session *session, const PodGroups *groups, const PlanObject *object,
                                  const PlanPod *pod);

// The same for labels that somebody else has pods select nodes by, as Kueue does.
void pod_places_check_labels(Session *session, const PodGroups *groups, const PlanObject *object, const Value *labels);

// Whether a group can take the pod, by what that selects and by devices that it cannot be without.
bool pod_places_fit(const PodGroups *groups, const PlanPod *pod, const PlanGroup *group);
