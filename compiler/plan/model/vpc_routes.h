// The subnets of a network, their route tables, and where these lead.
#pragma once

#include "compiler/base/vec.h"
#include "compiler/plan/model/field.h"
#include "compiler/semantics/subject.h"

// Where packets to other networks go.
typedef enum {
    WAY_UNKNOWN,
    WAY_NONE, // nowhere
    WAY_INTERNET,
    WAY_NAT,
    WAY_OTHER, // another gateway or interface, behind which a way out may be
} PlanWay;

struct PlanVpc;
struct PlanVpcSubnet;

// A NAT gateway.
typedef struct {
    const Subject *subject;
    Str name;
    Str condition;                      // of its being there, as its author calls it; empty: none
    PlanField place;                    // its subnet, as it is named
    const struct PlanVpcSubnet *subnet; // NULL: none that is known
    PlanField zone;                     // of its subnet
    PlanField address;                  // that of a stack, and only where it is in no border group of its own
} PlanNatGateway;

typedef struct {
    const Subject *subject;
    PlanWay way;
    PlanField range;           // of addresses of IPv4 that go there; absent: others
    PlanField gateway;         // what it names
    const PlanNatGateway *nat; // NULL: none that is known
    Str condition;
    bool is_inner;   // for private addresses alone: what is outside is not reached by it
    bool is_default; // for all addresses of IPv4 that have no other one
} PlanRoute;

typedef struct {
    const Subject *subject;
    Str name;
    Span span;
    Str condition;
    bool has_subnets;
    VEC(PlanRoute) routes;
} PlanRouteTable;

// A table that a subnet is told to use.
typedef struct {
    const Subject *subject;      // of what tells it
    PlanField subnet;            // as that names it
    const PlanRouteTable *table; // NULL: none that is known
    Str condition;
} PlanTableOfSubnet;

typedef struct PlanVpcSubnet {
    const struct PlanVpc *vpc;
    Str name;
    Span span;
    VEC(PlanTableOfSubnet) tables; // none: the main one of the VPC
    bool gives_no_address;         // of the internet: a host has one where its interface asks for it
} PlanVpcSubnet;

// A subnet that somebody names.
typedef struct {
    PlanField field;
    const PlanVpcSubnet *subnet;
} PlanNamedSubnet;

// Where its default route leads. WAY_NONE: no table of it has a route. WAY_UNKNOWN: a table is not known.
PlanWay subnet_way(const PlanVpcSubnet *subnet);
