// A network, whoever wrote it and in whose words: `network` of infra.dt, resources of CloudFormation, the VPC that eksctl
// makes for a ClusterConfig, or that it is told of. Each way in fills it as far as it is written, and rules about networks
// ask it alone.
#pragma once

#include "compiler/base/vec.h"
#include "compiler/plan/model/vpc_endpoint.h"

// Who makes it, which decides what else it takes.
typedef enum { VPC_BY_DTC, VPC_BY_STACK, VPC_BY_EKSCTL, VPC_OF_OTHERS } PlanVpcMaker;

// A block of IPv4 addresses: of the VPC, or of a subnet.
typedef struct {
    const Subject *subject; // what says it
    Str name;               // as that is called
    Span span;              // of all that says it
    bool is_cut;            // dtc cuts it into subnets: no `allow` helps where it cannot be
    PlanField block;        // FIELD_LATE: of a VPC alone
} PlanVpcBlock;

// The block that eksctl gives a VPC where none is written; it stands nowhere.
PlanVpcBlock vpc_block_of_eksctl(const Subject *subject, Str name);

typedef struct PlanVpc {
    const Subject *subject;
    PlanVpcMaker maker;
    Str name;
    Span span;                 // of a resource; else SPAN_NONE
    VEC(PlanVpcBlock) blocks;  // of the VPC, its own first
    bool has_other_blocks;     // which are not known, or may be
    VEC(PlanVpcBlock) subnets; // those whose blocks are known

    // Ways out. Those of a VPC that is told by its zones are the same in each.
    VEC(const PlanRouteTable *) tables; // each of them; others tell of none
    VEC(const PlanVpcSubnet *) parts;   // subnets, in tables or not
    VEC(const PlanNatGateway *) gateways;
    VEC(const PlanVpcEndpoint *) endpoints;
    PlanWay private_way; // of the private subnets that dtc or eksctl makes; else WAY_UNKNOWN
    Span private_span;   // of what says that there is none; SPAN_NONE: nothing does
    PlanField hosts;     // whether it gives names to hosts
    bool may_have_more;  // routes and endpoints that others add, or a way out that is no route
    bool is_told;        // another stack is told of it

    // Of one that is told by its zones. In a stack each subnet says its own.
    const Value *zones; // a list, whose items may be late; else as written, or NULL
    bool has_subnets;   // one of each zone, so that no zone stands there twice
    const char *what;   // "network", or "cluster": what stands in the region
    Str region;         // that it says; empty: the zones decide
    Span region_span;
} PlanVpc;

// Whether an endpoint for the service is there for each subnet, or may be.
bool vpc_has_endpoint(const PlanVpc *vpc, const char *service);
