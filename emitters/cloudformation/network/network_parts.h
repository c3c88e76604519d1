// The parts of a network's stack, each in a file of its own, and what they share.
#pragma once

#include "compiler/plan/model/network_layout.h"
#include "emitters/cloudformation/network/network_stack.h"

typedef struct {
    Stack *stack;
    const PlanNetwork *plan;
    bool has_public;
    const Cidr *blocks; // of `cidr`; [0] is the VPC's own
    uint32_t block_count;
    const PlanZone *zones;
    uint32_t zone_count;
} Network;

// "LabPrivateSubnet2"
Str network_id(const Network *network, const char *role, uint32_t number);

// Adds the network's tags, all but `Name`, which is the VPC's.
void network_put_tags(const Network *network, DocNode *properties);
bool network_has_tags(const Network *network);

void network_add_routes(const Network *network);         // NAT gateways and route tables
void network_add_groups(const Network *network);         // EFA and Lustre security groups
void network_add_endpoint_group(const Network *network); // of interface endpoints
void network_add_endpoints(const Network *network);
void network_add_flow_logs(const Network *network);

// How many private route tables there are: one, or with `nat = per_zone` one a zone.
uint32_t network_private_tables(const Network *network);
// The number of zone i's private route table: 0 where there is but one.
uint32_t network_table_number(const Network *network, uint32_t i);
