// A network, whoever wrote it and in whose words: `network` of infra.dt, resources of CloudFormation, the VPC that eksctl
// makes for a ClusterConfig, or that it is told of. Each way in fills it as far as it is written, and rules about networks
// ask it alone. A control plane of EKS stands in one.
#pragma once

#include "compiler/base/vec.h"
#include "compiler/plan/model/field.h"
#include "compiler/semantics/subject.h"

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
    VEC(PlanVpcBlock) blocks;  // of the VPC, its own first
    bool has_other_blocks;     // which are not known, or may be
    VEC(PlanVpcBlock) subnets; // those whose blocks are known

    // Of one that is told by its zones. In a stack each subnet says its own.
    const Value *zones; // a list, whose items may be late; else as written, or NULL
    bool has_subnets;   // one of each zone, so that no zone stands there twice
    const char *what;   // "network", or "cluster": what stands in the region
    Str region;         // that it says; empty: the zones decide
    Span region_span;
} PlanVpc;

// Places of a control plane that are told by a list: "zone", "private subnet".
typedef struct {
    const char *what;
    Span span;
    uint32_t count;
} PlanEksPlaces;

// A control plane of EKS that is made. It has an address in each of its zones, and addresses of its own for services.
typedef struct PlanControlPlane {
    const Subject *subject;
    PlanVpcMaker maker; // of the network, as far as it is known
    Str name;
    Span name_span;
    const PlanVpc *vpc;        // NULL: nothing is known of its blocks
    VEC(PlanField) zones;      // those that are known
    PlanField alike;           // the zone that all subnets are known to be in, at their list; else absent
    VEC(PlanEksPlaces) places; // those that are known
    const char *place_help;    // how it gets one more place
    VEC(PlanField) services;   // ranges of addresses: the last one counts, and each is known
    const char *zone_help;     // how it gets other zones
    Str joining;               // of infra.dt: its name, by which nodes in other zones join; empty: they do not
} PlanControlPlane;
