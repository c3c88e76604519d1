// Cuts the blocks of a VPC into subnets.
#include "compiler/plan/model/network_layout.h"

#include "compiler/plan/model/network_ids.h"

static bool read_blocks(Arena *arena, const PlanNetwork *network, PlanLayout *layout) {
    const uint32_t count = network->made.cidr->list.count;
    Cidr *blocks = arena_new_array(arena, Cidr, count);
    bool is_good = true;
    for (uint32_t i = 0; i < count; i++) {
        const bool is_block = cidr_parse(network->made.cidr->list.items[i]->string, &blocks[i]);
        is_good =
            is_good && is_block && blocks[i].prefix >= LIMIT_VPC_PREFIX_MIN && blocks[i].prefix <= LIMIT_VPC_PREFIX_MAX;
    }
    layout->blocks = blocks;
    layout->block_count = count;
    return is_good && count > 0;
}

static bool is_small(PlanLayout *layout, uint32_t block, uint32_t parts, int prefix) {
    if (prefix <= LIMIT_VPC_PREFIX_MAX) {
        return false;
    }
    layout->fault = LAYOUT_SMALL;
    layout->small_block = block;
    layout->small_parts = parts;
    return true;
}

// The prefix length of each zone's public subnet, in the part of the first block that they share.
static int public_prefix(const PlanLayout *layout, Cidr shared) {
    int least = shared.prefix;
    while (cidr_capacity(shared, least) < layout->zone_count) {
        least++;
    }
    const int usual = (int)schema_constant(CONSTANT_CIDR_PUBLIC_PREFIX);
    return least > usual || layout->zone_count == 1 ? least : usual;
}

static bool lay_public(PlanLayout *layout, PlanZone *zones) {
    const PlanCut cut = plan_private_cut(layout->zone_count, layout->block_count, 0);
    const Cidr first = layout->blocks[0];
    // Of one zone with a block for each subnet the first half is used.
    const bool is_shared = cut.block == 0 || layout->zone_count == 1;
    const int shared_prefix = first.prefix + (is_shared ? cut.bits : 0);
    const uint32_t parts = layout->zone_count > 1 ? layout->zone_count : 2;
    if (is_small(layout, 0, parts, shared_prefix)) {
        return false;
    }
    const Cidr shared = cidr_cut(first, shared_prefix, 0);
    const int prefix = public_prefix(layout, shared);
    if (layout->has_public && is_small(layout, 0, layout->zone_count, prefix)) {
        return false;
    }
    for (uint32_t i = 0; layout->has_public && i < layout->zone_count; i++) {
        zones[i].public_cidr = cidr_cut(shared, prefix, i);
    }
    return true;
}

static bool lay_private(PlanLayout *layout, PlanZone *zones) {
    for (uint32_t i = 0; i < layout->zone_count; i++) {
        const PlanCut cut = plan_private_cut(layout->zone_count, layout->block_count, i);
        const Cidr block = layout->blocks[cut.block];
        if (is_small(layout, cut.block, UINT32_C(1) << cut.bits, block.prefix + cut.bits)) {
            return false;
        }
        zones[i].private_block = cut.block;
        zones[i].private_cidr = cidr_cut(block, block.prefix + cut.bits, cut.index);
    }
    return true;
}

PlanLayout plan_layout(Arena *arena, const PlanNetwork *network) {
    PlanLayout layout = {
        .fault = LAYOUT_WRONG,
        .has_public = network->made.public->boolean,
        .zone_count = network->zones->list.count,
    };
    if (!read_blocks(arena, network, &layout) || layout.zone_count == 0) {
        return layout;
    }
    if (layout.block_count > 1 && layout.block_count < plan_blocks_needed(layout.zone_count)) {
        layout.fault = LAYOUT_FEW;
        return layout;
    }
    PlanZone *zones = arena_new_array(arena, PlanZone, layout.zone_count);
    for (uint32_t i = 0; i < layout.zone_count; i++) {
        zones[i].zone = network->zones->list.items[i];
        zones[i].number = layout.zone_count == 1 ? 0 : i + 1;
    }
    layout.zones = zones;
    if (lay_public(&layout, zones) && lay_private(&layout, zones)) {
        layout.fault = LAYOUT_FITS;
    }
    return layout;
}
