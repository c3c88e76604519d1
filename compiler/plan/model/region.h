// Which region a part of the Plan is in, as far as it is written.
#pragma once

#include "compiler/plan/model/plan.h"

// Of the first zone whose region is known; empty without one. `zones` may be NULL.
Str plan_zones_region(const Value *zones);

// The region that a network is in: as it says, or that of its zones; empty where the deployment decides. `network` may
// be NULL.
Str plan_network_region(const PlanNetwork *network);

// Of a group: its own zone's, else its network's, else its cluster's. `*reason` is where that is written. NULL where
// nothing written says.
const RegionRow *plan_region(const PlanNodes *nodes, Span *reason);

// The group of addresses that a zone has for itself, a Local Zone's; empty for others.
Str plan_border_group(Arena *arena, const Value *zone);

// The place among the zones of a new network of the first Availability Zone, where services of the region are; 0 where
// there are Local Zones and Wavelength Zones alone.
uint32_t plan_home_zone(const PlanNetwork *network);

// Whether a zone is a Local Zone or a Wavelength Zone.
bool plan_is_outer_zone(const Value *zone);
