// Runs all rules.
#pragma once

#include "compiler/plan/model/plan.h"

// Runs every rule of rules.def over the plan. Where there are errors, those that no `allow` silences get a label at one
// that tries.
void plan_check(Session *session, const Plan *plan);
