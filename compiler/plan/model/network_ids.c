// The ids of a network that is made, given or imported, as values.
#include "compiler/plan/model/network_ids.h"

#include "compiler/base/cidr.h"
#include "schema/limits.h"

// As few bits as give every zone a part, and the public subnets one.
static int bits_of_one_block(uint32_t zone_count) {
    int bits = 1;
    while (zone_count >> bits > 0) {
        bits++;
    }
    return bits;
}

const Value *plan_network_output(Arena *arena, const PlanNetwork *network, const char *name, const Origin *origin) {
    const OutputRow *row = schema_output(network->head.part->kind, str_of(name));
    Late *late = arena_new(arena, Late);
    *late = (Late){ .kind = LATE_OUTPUT, .type = row->type, .block = network->head.block, .name = str_of(row->name) };
    Value *value = arena_new(arena, Value);
    *value = (Value){ .kind = VALUE_LATE, .span = network->head.subject->name_span, .origin = origin };
    value->late = late;
    return value;
}

PlanNetworkIds plan_network_ids(Arena *arena, const PlanNetwork *network) {
    if (network->mode == NETWORK_GIVEN) {
        return (PlanNetworkIds){ .vpc = network->given.vpc,
                                 .public = network->given.public,
                                 .private = network->given.private };
    }
    const Origin *origin = network->head.origin;
    bool has_public = network->made.public == NULL || network->made.public->boolean;
    return (PlanNetworkIds){
        .vpc = plan_network_output(arena, network, "vpc", origin),
        .public = has_public ? plan_network_output(arena, network, "public", origin) : NULL,
        .private = plan_network_output(arena, network, "private", origin),
    };
}

uint32_t plan_blocks_needed(uint32_t zone_count) {
    uint32_t zones_a_block = 2;
    while ((LIMIT_VPC_BLOCKS_USUAL - 1) * zones_a_block < zone_count) {
        zones_a_block *= 2;
    }
    return 1 + (zone_count + zones_a_block - 1) / zones_a_block;
}

PlanCut plan_private_cut(uint32_t zone_count, uint32_t block_count, uint32_t zone) {
    if (block_count <= 1) {
        return (PlanCut){ .block = 0, .bits = bits_of_one_block(zone_count), .index = zone + 1 };
    }
    int bits = 1;
    while ((block_count - 1) << bits < zone_count) {
        bits++;
    }
    return (PlanCut){ .block = 1 + (zone >> bits), .bits = bits, .index = zone & ((UINT32_C(1) << bits) - 1) };
}

// How many private subnets the network has, as far as it is known: 0 where it is not.
uint32_t plan_subnet_count(const PlanNetwork *network) {
    if (network->mode == NETWORK_GIVEN) {
        const Value *ids = network->given.private;
        return ids != NULL && ids->kind == VALUE_LIST ? ids->list.count : 0;
    }
    return network->zones != NULL && network->zones->kind == VALUE_LIST ? network->zones->list.count : 0;
}

int64_t plan_place_of_subnet(const PlanNetwork *network, const Value *subnet) {
    const Value *ids = network->given.private;
    if (subnet->kind == VALUE_LATE && subnet->late->kind == LATE_ITEM) {
        return subnet->late->index;
    }
    for (uint32_t i = 0; ids != NULL && ids->kind == VALUE_LIST && i < ids->list.count; i++) {
        if (ids->list.items[i]->kind == VALUE_STRING && value_equal(ids->list.items[i], subnet)) {
            return i;
        }
    }
    return -1;
}

const Value *plan_single_subnet(const PlanNodes *nodes) {
    const Value *ids = nodes->subnets.ids;
    return ids != NULL && ids->kind == VALUE_LIST && ids->list.count == 1 ? ids->list.items[0] : NULL;
}

const Value *plan_zone_of_subnet(const PlanNetwork *network, const Value *subnet) {
    const int64_t index = subnet == NULL ? -1 : plan_place_of_subnet(network, subnet);
    const Value *zones = network->zones;
    const bool is_listed = index >= 0 && zones != NULL && zones->kind == VALUE_LIST && index < zones->list.count;
    const Value *zone = is_listed ? zones->list.items[index] : NULL;
    return zone != NULL && zone->kind == VALUE_STRING ? zone : NULL;
}

// ---- addresses -------------------------------------------------------------------------------------------------------

int64_t plan_free_in_zone(const PlanNetwork *network, uint32_t zone) {
    const PlanCut cut = plan_private_cut(network->zones->list.count, network->made.cidr->list.count, zone);
    Cidr cidr;
    bool is_known = cut.block < network->made.cidr->list.count &&
                    network->made.cidr->list.items[cut.block]->kind == VALUE_STRING &&
                    cidr_parse(network->made.cidr->list.items[cut.block]->string, &cidr) &&
                    cidr.prefix + cut.bits <= LIMIT_VPC_PREFIX_MAX && cidr.prefix >= LIMIT_VPC_PREFIX_MIN;
    return is_known ? (INT64_C(1) << (32 - cidr.prefix - cut.bits)) - LIMIT_SUBNET_ADDRESSES_KEPT : 0;
}

int64_t plan_free_in_all(const PlanNetwork *network) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < network->zones->list.count; i++) {
        int64_t free = plan_free_in_zone(network, i);
        if (free == 0) {
            return 0;
        }
        sum += free;
    }
    return sum;
}

int64_t plan_zone_of_addresses(const PlanNodes *nodes) {
    const PlanNetwork *network = nodes->cluster->network;
    if (network == NULL || network->mode != NETWORK_MADE || network->is_used_module || network->made.cidr == NULL) {
        return ADDRESSES_UNKNOWN;
    }
    bool is_one = nodes->subnets.ids != NULL && nodes->subnets.ids->list.count == 1;
    const Value *subnet = is_one ? nodes->subnets.ids->list.items[0] : NULL;
    if (subnet == NULL || subnet->kind != VALUE_LATE || subject_value(nodes->head.subject, NODES_SUBNET) != NULL) {
        return ADDRESSES_UNKNOWN;
    }
    if (subnet->late->kind == LATE_ITEM) {
        return (int64_t)subnet->late->index;
    }
    return network->zones->list.count == 1 ? 0 : ADDRESSES_OF_ALL;
}
