// Answers of subnets about their routes.
#include "compiler/plan/model/vpc_routes.h"

PlanWay subnet_way(const PlanVpcSubnet *subnet) {
    PlanWay way = WAY_NONE;
    for (uint32_t i = 0; i < subnet->tables.count; i++) {
        const PlanRouteTable *table = subnet->tables.items[i].table;
        if (table == NULL) {
            return WAY_UNKNOWN;
        }
        for (uint32_t k = 0; k < table->routes.count; k++) {
            const PlanRoute *route = &table->routes.items[k];
            if (route->is_inner && route->way == WAY_NAT) {
                continue;
            }
            if (route->is_default && route->way == WAY_INTERNET) {
                return WAY_INTERNET;
            }
            way = route->is_default && way != WAY_NAT ? route->way : way == WAY_NONE ? WAY_OTHER : way;
        }
    }
    return way;
}
