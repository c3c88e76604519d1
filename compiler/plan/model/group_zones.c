// Of eksctl's groups one zone is known, of which they keep their own list.
#include "compiler/plan/model/group_zones.h"

#include "compiler/plan/model/cluster_config.h"

PlanFields group_zones(const PlanGroup *group) {
    const PlanNodeSubnets *subnets = &group->subnets;
    return group->eksctl != NULL ? group->eksctl->zones
                                 : (PlanFields){ .items = subnets->zones.items, .count = subnets->zones.count };
}
