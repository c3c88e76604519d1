// Pods that ask for the nodes of one NodePool of Karpenter, by its name or by a label that it alone gives.
#pragma once

#include "compiler/plan/rules/places/pod_places.h"

// Adds the pools of a plan.
void pool_places_add(Session *session, const Plan *plan, PodGroups *pools);

// The pool that the pod asks for; NULL where it asks for none that is known. Labels alone count where `is_alone`: there are no
// other groups, which may have the same.
const PlanGroup *pool_places_asked(const PodGroups *pools, bool is_alone, const PlanPod *pod);

// Whether a pod that asks for no pool can have its node only from the pools of its own file: no file shows other nodes, and
// the pod asks for a device, or by a label of Karpenter.
bool pool_places_is_of_file(const PodGroups *pools, const PlanObject *object, const PlanPod *pod);

// Reports what none of the pools can give the pod. The only one that takes it; NULL where several may, or something was
// reported.
const PlanGroup *pool_places_check_all(Session *session, const PodGroups *pools, const PlanObject *object,
                                       const PlanPod *pod);

// Reports what that pool cannot give the pod. The pool, with the types that are left to the pod; NULL where something was
// reported of its labels.
const PlanGroup *pool_places_check(Session *session, const PodGroups *pools, const PlanGroup *asked,
                                   const PlanObject *object, const PlanPod *pod);
