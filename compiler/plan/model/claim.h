// File systems that pods claim on EKS.
#pragma once

#include "compiler/plan/model/plan.h"

// Why no driver lets pods claim it, as a message; NULL where they can. `*help` is the way out.
const char *plan_claim_fault(const PlanStorage *storage, const char **help);

// "fsx-claim": the claim of a file system.
Str plan_claim_name(Arena *arena, Str storage);

// The group in whose zone a new file system stands, unless it has a subnet of its own: the first with EFA, else the
// first. NULL without groups.
const PlanNodes *plan_claim_group(const PlanCluster *cluster);
