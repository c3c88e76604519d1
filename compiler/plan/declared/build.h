// Makes the Plan of a checked program.
#pragma once

#include "compiler/plan/model/plan.h"
#include "compiler/semantics/program.h"

// From a checked program; `facts` may be NULL. Never NULL; what cannot be placed is reported (DT03xx).
const Plan *plan_build(Session *session, const Program *program, const Facts *facts);
