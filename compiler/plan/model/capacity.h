// Capacity: whether the nodes of a group come from on demand, Spot, or a reservation of some kind.
#pragma once

#include "compiler/plan/model/plan.h"

// "on_demand", and the kind that such a word means; CAPACITY_ON_DEMAND of any other.
const char *capacity_name(CapacityKind kind);
CapacityKind capacity_kind(Str word);

// In any of its alternatives. `capacity` may be NULL.
bool capacity_has(const PlanCapacity *capacity, CapacityKind kind);

// Whether it brings the place of its instances with it.
bool capacity_is_reserved(CapacityKind kind);

// What holds where nothing before it is given.
const PlanCapacity *capacity_last(const PlanCapacity *capacity);
