// Rules about files that were given together: the pods of a manifest, and the groups of nodes in files beside it.
#pragma once

#include "compiler/plan/model/plan.h"

typedef VEC(const Plan *) PlansTogether;

// Reports what is wrong with the pods of `plan`, whose file is one of those that `together` are of. Says nothing where
// no file makes a group, or where nobody knows which nodes there will be.
void together_check(Session *session, const Plan *plan, const PlansTogether *together);
