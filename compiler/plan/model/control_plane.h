// A control plane of EKS, whoever wrote it, and its places in a network.
#pragma once

#include "compiler/plan/model/vpc.h"

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
    bool makes_nodes;          // EKS Auto Mode, Fargate or Karpenter may start some for pods
    Str joining;               // of infra.dt: its name, by which nodes in other zones join; empty: they do not
} PlanControlPlane;
