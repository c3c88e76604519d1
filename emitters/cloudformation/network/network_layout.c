// Cuts a VPC's blocks into subnets. A single block is cut in as many equal parts as its zones need, and one more: the
// first part is for the public subnets, the next ones are the private subnets. Of several blocks the first one is for the
// public subnets, and each further one gives its two halves to private ones; with more zones than that its quarters. The first part stays the public one without
// public subnets, so that switching them on later moves nothing.
#include "emitters/cloudformation/network/network_parts.h"

#include "compiler/plan/model/network_ids.h"

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

static bool is_small(Session *session, const PlanNetwork *plan, uint32_t block, uint32_t count, int prefix) {
    if (prefix <= CIDR_PREFIX_MAX) {
        return false;
    }
    report(session, block_span(plan, block), DIAG(cidr_small), STR_ARG(plan->cidr->list.items[block]->string), count,
           CIDR_PREFIX_MAX);
    return true;
}

// Of the zones' public subnets, out of the part of the first block that they share.
static int public_prefix(const Network *network, Cidr shared) {
    int least = shared.prefix;
    while (cidr_capacity(shared, least) < network->zone_count) {
        least++;
    }
    const int usual = (int)schema_constant(CONSTANT_CIDR_PUBLIC_PREFIX);
    return least > usual || network->zone_count == 1 ? least : usual;
}

static bool lay_public(Session *session, const PlanNetwork *plan, const Network *network, NetworkZone *zones) {
    const PlanCut cut = plan_private_cut(network->zone_count, network->block_count, 0);
    const Cidr first = network->blocks[0];
    // Of one zone with a block for each subnet the first half is used.
    const bool is_shared = cut.block == 0 || network->zone_count == 1;
    const int shared_prefix = first.prefix + (is_shared ? cut.bits : 0);
    const uint32_t parts = network->zone_count > 1 ? network->zone_count : 2;
    if (is_small(session, plan, 0, parts, shared_prefix)) {
        return false;
    }
    const Cidr shared = cidr_cut(first, shared_prefix, 0);
    const int prefix = public_prefix(network, shared);
    if (network->has_public && is_small(session, plan, 0, network->zone_count, prefix)) {
        return false;
    }
    for (uint32_t i = 0; i < network->zone_count; i++) {
        zones[i].public_cidr = network->has_public ? cidr_cut(shared, prefix, i) : shared;
    }
    return true;
}

static bool lay_private(Session *session, const PlanNetwork *plan, const Network *network, NetworkZone *zones) {
    for (uint32_t i = 0; i < network->zone_count; i++) {
        const PlanCut cut = plan_private_cut(network->zone_count, network->block_count, i);
        const bool is_one = network->block_count == 1 && network->zone_count > 1;
        const uint32_t parts = is_one ? network->zone_count + 1 : UINT32_C(1) << cut.bits;
        const Cidr block = network->blocks[cut.block];
        if (is_small(session, plan, cut.block, parts, block.prefix + cut.bits)) {
            return false;
        }
        zones[i].private_block = cut.block;
        zones[i].private_cidr = cidr_cut(block, block.prefix + cut.bits, cut.index);
    }
    return true;
}

static bool has_blocks(Session *session, const PlanNetwork *plan, const Network *network) {
    const uint32_t needed = plan_blocks_needed(network->zone_count);
    if (network->block_count == 1 || network->block_count >= needed) {
        return true;
    }
    Diag *diag = report(session, plan->cidr->span, DIAG(cidr_few), network->block_count, needed);
    diag_label(session, diag, plan->zones->span, "%" PRIu32 " zones", network->zone_count);
    return false;
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
        zones[i].number = network->zone_count == 1 ? 0 : i + 1;
    }
    network->zones = zones;
    return has_blocks(session, plan, network) && lay_public(session, plan, network, zones) &&
           lay_private(session, plan, network, zones);
}
