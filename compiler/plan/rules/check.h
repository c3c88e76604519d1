// Runs all rules.
#pragma once

#include "compiler/plan/model/plan.h"
#include "compiler/plan/model/plan_exports.h"

// Runs every rule of rules.def over the plan. Where there are errors, those that no `allow` silences get a label at one
// that tries.
void plan_check(Session *session, const Plan *plan);

// What a template imports and exports, against the exports of all files of the run.
void exports_check(Session *session, const PlanExports *exports, const PlanTemplate *template, Str path);
