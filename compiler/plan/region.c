// Where a group of nodes stands, as far as it is written: its own zone, else its network's region, else the zones of that.
#include "compiler/plan/builder.h"

const RegionRow *plan_region(const PlanNodes *nodes, Span *reason) {
    const Value *zone = read_value(nodes->head.block, NODES_ZONE);
    const PlanNetwork *network = nodes->cluster->network;
    if (zone != NULL && zone->kind == VALUE_STRING) {
        *reason = zone->span;
        return schema_zone_region(zone->string);
    }
    if (network != NULL && network->region != NULL) {
        *reason = network->region->span;
        return schema_region(network->region->string);
    }
    if (network != NULL && network->zones != NULL && network->zones->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < network->zones->list.count; i++) {
            if (network->zones->list.items[i]->kind == VALUE_STRING) {
                *reason = network->zones->list.items[i]->span;
                return schema_zone_region(network->zones->list.items[i]->string);
            }
        }
    }
    if (nodes->cluster->region.len > 0) { // a cluster without a network
        *reason = nodes->cluster->head.block->name_span;
        return schema_region(nodes->cluster->region);
    }
    return NULL;
}
