// What the raw resources of each stack of a Plan are.
#pragma once

#include "compiler/plan/model/plan.h"

// Adds it to a plan whose clusters, jobs and images are there.
void raw_add(Session *session, Plan *plan);

// Adds the pools of Karpenter among the objects of a file or a cluster, with their classes.
void raw_add_pools(Session *session, const PlanObjects *objects, Plan *plan);
