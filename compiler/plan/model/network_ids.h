// The ids, outputs and address blocks of a network, whether it is new, given or imported.
#pragma once

#include "compiler/plan/model/plan.h"

// What a stack of the network makes ("private"), as a late value.
const Value *plan_network_output(Arena *arena, const PlanNetwork *network, const char *name, const Origin *origin);

// The ids of a network, whichever way it is there: values that may be late, or NULL.
typedef struct {
    const Value *vpc;
    const Value *public;
    const Value *private;
} PlanNetworkIds;

PlanNetworkIds plan_network_ids(Arena *arena, const PlanNetwork *network);

// The part of a block of `cidr` that is a zone's private subnet: of 2^bits equal parts, the one with this index. Of a
// single block the first part is left to the public subnets. Of several the first one is, and each further one is for
// two zones.
typedef struct {
    uint32_t block;
    int bits;
    uint32_t index;
} PlanCut;

// Of several blocks one is for all public subnets. Each other block is for the private subnets of two zones, or of four
// zones if there are more zones than usual.
uint32_t plan_blocks_needed(uint32_t zone_count);

PlanCut plan_private_cut(uint32_t zone_count, uint32_t block_count, uint32_t zone);

// How many private subnets the network has, as far as it is known: 0 where it is not.
uint32_t plan_subnet_count(const PlanNetwork *network);

// The index of a subnet in the network's list of private subnets. -1 if it is unknown.
int64_t plan_place_of_subnet(const PlanNetwork *network, const Value *subnet);

// The one subnet of a group; NULL where there are several.
const Value *plan_single_subnet(const PlanNodes *nodes);

// The zone of a subnet, by the lists of the network. NULL if it is unknown.
const Value *plan_zone_of_subnet(const PlanNetwork *network, const Value *subnet);

// Free addresses of a zone's private subnet in a network that is made: those that AWS leaves to others. 0 where the blocks are
// wrong, of which the rules about these speak.
int64_t plan_free_in_zone(const PlanNetwork *network, uint32_t zone);
int64_t plan_free_in_all(const PlanNetwork *network);

enum { ADDRESSES_OF_ALL = -1, ADDRESSES_UNKNOWN = -2 };

// The one zone from whose private subnet a group takes its addresses, by its index; or all; or a subnet of which nothing is
// known, as of every network that is there.
int64_t plan_zone_of_addresses(const PlanNodes *nodes);
