// Where the nodes of a group start.
#pragma once

#include "compiler/plan/model/plan_group.h"

// The zones, as far as they are known; none where nothing is.
PlanFields group_zones(const PlanGroup *group);
