// The region of a part of the Plan, if the source says it.
#pragma once

#include "compiler/plan/model/plan.h"

// The region of the first zone whose region is known. Empty if there is none. `zones` may be NULL.
Str plan_zones_region(const Value *zones);

// The region of a network: the one that it names, or that of its zones. Empty if only the deployment decides it.
// `network` may be NULL.
Str plan_network_region(const PlanNetwork *network);

// The region of a group: that of its own zone, else of its network, else of its cluster. `*reason` is the place where
// that is written. NULL if nothing written says it.
const RegionRow *plan_region(const PlanNodes *nodes, Span *reason);

// The network border group of a zone that has its own, as Local Zones do. Empty for other zones.
Str plan_border_group(Arena *arena, const Value *zone);

// The index of the first Availability Zone among the zones of a new network. The region's services are there. 0 if the
// network has only Local Zones and Wavelength Zones.
uint32_t plan_home_zone(const PlanNetwork *network);

// Whether a zone is a Local Zone or a Wavelength Zone.
bool plan_is_outer_zone(const Value *zone);
