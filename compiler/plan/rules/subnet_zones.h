// Whether nodes that belong together have the subnets of one zone.
#pragma once

#include "compiler/plan/rules/rules.h"

// Reports two zones among the subnets of `name`, which is a compute environment or a managed group.
void subnet_zones_check(const Rules *rules, const Subject *subject, Str name, const PlanNodeSubnets *subnets);
