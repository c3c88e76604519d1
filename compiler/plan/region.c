// Where things stand, as far as it is written: a group in its own zone, else in its network's region, else in the zones
// of that.
#include "compiler/plan/builder.h"

Str plan_zones_region(const Value *zones) {
    for (uint32_t i = 0; zones != NULL && zones->kind == VALUE_LIST && i < zones->list.count; i++) {
        const Value *zone = zones->list.items[i];
        const RegionRow *region = zone->kind == VALUE_STRING ? schema_zone_region(zone->string) : NULL;
        if (region != NULL) {
            return str_of(region->name);
        }
    }
    return STR_NONE;
}

Str plan_network_region(const PlanNetwork *network) {
    if (network == NULL) {
        return STR_NONE;
    }
    bool is_written = network->region != NULL && network->region->kind == VALUE_STRING;
    return is_written ? network->region->string : plan_zones_region(network->zones);
}

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
