// Runs all rules.
#pragma once

#include "compiler/plan/model/plan.h"
#include "compiler/plan/model/plan_exports.h"

// Runs every rule of rules.def over the plan. Where there are errors, those that no `allow` silences get a label at one
// that tries.
void plan_check(Session *session, const Plan *plan);

// What one file of a run imports and exports, against all of them. It is called when all files were read.
void exports_check(Session *session, const PlanExports *exports, Str path);
