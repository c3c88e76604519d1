// Cuts a VPC's blocks into subnets. With one zone each block is cut in halves, the first half used: public from the
// first block, private from the second. With several the first block gives a /24 a zone to public subnets, each further
// one its two halves to private ones. The first block stays the public one without public subnets, so that switching
// them on later moves nothing.
#include "emitters/cloudformation/network_parts.h"

static Span block_span(const PlanNetwork *plan, uint32_t i) {
    return plan->cidr->list.items[i]->span;
}

// Rule blocks_of_vpc has held each of them.
static void read_blocks(Arena *arena, const PlanNetwork *plan, Network *network) {
    uint32_t count = plan->cidr->list.count;
    Cidr *blocks = arena_new_array(arena, Cidr, count);
    for (uint32_t i = 0; i < count; i++) {
        bool is_block = cidr_parse(plan->cidr->list.items[i]->string, &blocks[i]);
        assert(is_block);
        (void)is_block;
    }
    network->blocks = blocks;
    network->block_count = count;
}

// One zone: halves. With a single block the private half is the second one.
static bool lay_one(Session *session, const PlanNetwork *plan, const Network *network, NetworkZone *zone) {
    zone->private_block = plan_private_block(1, network->block_count, 0);
    for (uint32_t i = 0; i <= zone->private_block; i++) {
        if (network->blocks[i].prefix >= CIDR_PREFIX_MAX) {
            report(session, block_span(plan, i), DIAG(cidr_small), STR_ARG(plan->cidr->list.items[i]->string),
                   UINT32_C(2), CIDR_PREFIX_MAX);
            return false;
        }
    }
    Cidr own = network->blocks[0];
    Cidr other = network->blocks[zone->private_block];
    zone->public_cidr = cidr_cut(own, own.prefix + 1, 0);
    zone->private_cidr = cidr_cut(other, other.prefix + 1, zone->private_block == 0 ? 1 : 0);
    return true;
}

static bool lay_several(Session *session, const PlanNetwork *plan, const Network *network, NetworkZone *zones) {
    uint32_t needed = 1 + (network->zone_count + 1) / 2;
    if (network->block_count < needed) {
        Diag *diag = report(session, plan->cidr->span, DIAG(cidr_few), network->block_count, needed);
        diag_label(session, diag, plan->zones->span, "%" PRIu32 " zones", network->zone_count);
        return false;
    }
    Cidr first = network->blocks[0];
    int prefix = (int)schema_constant(CONSTANT_CIDR_PUBLIC_PREFIX);
    if (network->has_public && (first.prefix > prefix || cidr_capacity(first, prefix) < network->zone_count)) {
        report(session, block_span(plan, 0), DIAG(cidr_small), STR_ARG(plan->cidr->list.items[0]->string),
               network->zone_count, prefix);
        return false;
    }
    for (uint32_t i = 0; i < network->zone_count; i++) {
        uint32_t block = plan_private_block(network->zone_count, network->block_count, i);
        Cidr cidr = network->blocks[block];
        if (cidr.prefix >= CIDR_PREFIX_MAX) {
            report(session, block_span(plan, block), DIAG(cidr_small), STR_ARG(plan->cidr->list.items[block]->string),
                   UINT32_C(2), CIDR_PREFIX_MAX);
            return false;
        }
        zones[i].number = i + 1;
        zones[i].private_block = block;
        zones[i].private_cidr = cidr_cut(cidr, cidr.prefix + 1, i % 2);
        zones[i].public_cidr = network->has_public ? cidr_cut(first, prefix, i) : first;
    }
    return true;
}

bool network_layout(Session *session, Arena *arena, const PlanNetwork *plan, Network *network) {
    *network = (Network){
        .plan = plan,
        .has_public = plan->public->boolean,
        .zone_count = plan->zones->list.count,
    };
    read_blocks(arena, plan, network);
    assert(network->zone_count > 0);
    NetworkZone *zones = arena_new_array(arena, NetworkZone, network->zone_count);
    for (uint32_t i = 0; i < network->zone_count; i++) {
        zones[i].zone = plan->zones->list.items[i];
    }
    network->zones = zones;
    return network->zone_count == 1 ? lay_one(session, plan, network, zones)
                                    : lay_several(session, plan, network, zones);
}
