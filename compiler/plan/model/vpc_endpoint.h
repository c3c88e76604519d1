// An endpoint of a network for a service of AWS, whoever wrote it.
#pragma once

#include "compiler/plan/model/vpc_routes.h"

typedef struct {
    const Subject *subject;
    Str name;
    Str condition;
    Str service; // behind the prefix and the region: "ecr.api"; empty: not known
    Span service_span;
    PlanField type;    // "Gateway", "Interface"; absent: a gateway
    PlanField names;   // whether the public name of the service leads to it
    bool has_zones;    // private zones of somebody may have that name
    PlanFields routes; // its route tables, as it names them
    VEC(const PlanRouteTable *) tables;
    bool has_other_tables; // which are not known
} PlanVpcEndpoint;

// Whether it is a gateway, which is for the subnets of its route tables alone; ANSWER_MAYBE where its type is late.
PlanAnswer endpoint_is_gateway(const PlanVpcEndpoint *endpoint);

// Whether who calls the service by its public name may come to it. CloudFormation gives no private names where nothing is
// said.
bool endpoint_is_named(const PlanVpcEndpoint *endpoint);

bool endpoint_has_table(const PlanVpcEndpoint *endpoint, const PlanRouteTable *table);

// Whether it is for a subnet. One that is no gateway is for the whole VPC.
bool endpoint_serves(const PlanVpcEndpoint *endpoint, const PlanVpcSubnet *subnet);

// "s3" of `com.amazonaws.REGION.s3`, in which `${}` stands for what is not known; empty of any other text.
Str endpoint_service_in(Str name);
