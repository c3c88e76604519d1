// File systems that pods claim on EKS.
#pragma once

#include "compiler/plan/model/plan.h"

// Why no driver lets pods claim it, as a message; NULL where they can. `*help` is the way out.
const char *plan_claim_fault(const PlanStorage *storage, const char **help);
