// The region of a part of the Plan: by its own zone, else by its network's region, else by the zones of the network.
#include "compiler/plan/model/region.h"

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
    const Value *zone = subject_value(nodes->head.subject, NODES_ZONE);
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
        *reason = nodes->cluster->head.subject->name_span;
        return schema_region(nodes->cluster->region);
    }
    return NULL;
}

bool plan_is_outer_zone(const Value *zone) {
    return zone->kind == VALUE_STRING && schema_zone_kind(zone->string) != ZONE_AVAILABILITY;
}

uint32_t plan_home_zone(const PlanNetwork *network) {
    for (uint32_t i = 0; i < network->zones->list.count; i++) {
        if (!plan_is_outer_zone(network->zones->list.items[i])) {
            return i;
        }
    }
    return 0;
}

// "us-east-1-dfw-2a" and "use1-dfw2-az1" are of the group "us-east-1-dfw-2".
Str plan_border_group(Arena *arena, const Value *zone) {
    if (zone->kind != VALUE_STRING || schema_zone_kind(zone->string) != ZONE_LOCAL) {
        return STR_NONE;
    }
    const Str name = zone->string;
    const RegionRow *region = schema_zone_region(name);
    if (str_starts_with(name, str_of(region->name))) {
        return str_slice(name, 0, name.len - 1);
    }
    const size_t place = str_find(name, STR("-"), 0) + 1;
    size_t number = place;
    while (number < name.len && (name.data[number] < '0' || name.data[number] > '9')) {
        number++;
    }
    const size_t end = str_find(name, STR("-"), place);
    const Str letters = str_slice(name, place, number);
    const Str digits = str_slice(name, number, end);
    return str_format(arena, "%s-%.*s-%.*s", region->name, STR_ARG(letters), STR_ARG(digits));
}
