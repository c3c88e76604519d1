// Pods that ask for the nodes of one NodePool of Karpenter, by its name or by a label that it alone gives.
#pragma once

#include "compiler/plan/rules/workload/pod_places.h"

// Adds the pools of a plan.
void pool_places_add(Session *session, const Plan *plan, PodGroups *pools);

// Reports what the pool that the pod asks for cannot give it. The pool, with the types that are left to the pod; NULL where
// it asks for none that is known. Labels alone count where `is_alone`: there are no other groups, which may have the same.
const PlanGroup *pool_places_check(Session *session, const PodGroups *pools, bool is_alone, const PlanObject *object,
                                   const PlanPod *pod);
