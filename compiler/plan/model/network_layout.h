// How the address blocks of a VPC are cut into subnets. A single block is cut into equal parts, one more than its zones
// need. The first part holds the public subnets, the next parts are the private subnets. If there are several blocks,
// the first one holds the public subnets. Each further block gives its halves to two private subnets, or its quarters
// if there are more zones. The first part stays free even without public subnets, so that switching them on later moves
// no subnet.
#pragma once

#include "compiler/base/cidr.h"
#include "compiler/plan/model/plan.h"

typedef struct {
    const Value *zone;
    uint32_t number; // from 1; 0 in a network of one zone, whose subnets have no number
    Cidr public_cidr;
    Cidr private_cidr;
    uint32_t private_block; // index into the blocks
} PlanZone;

typedef enum {
    LAYOUT_FITS,
    LAYOUT_WRONG, // there are no zones or blocks, or one that is none of a VPC; rules about those say so
    LAYOUT_FEW,   // fewer blocks than the zones need
    LAYOUT_SMALL, // a block has no room for its subnets
} LayoutFault;

typedef struct {
    LayoutFault fault;
    bool has_public;
    const Cidr *blocks; // of `cidr`; [0] is the VPC's own
    uint32_t block_count;
    const PlanZone *zones; // whole where it fits
    uint32_t zone_count;
    uint32_t small_block; // LAYOUT_SMALL: the block, and how many subnets it is cut into
    uint32_t small_parts;
} PlanLayout;

// The layout of a new network.
PlanLayout plan_layout(Arena *arena, const PlanNetwork *network);
