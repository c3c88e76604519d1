// What is known of the subnets that nodes stand in, whoever wrote the group.
#pragma once

#include "compiler/plan/model/vpc.h"

// Subnets of nodes, as far as what makes them tells.
typedef struct {
    Span key;                   // of what names them
    VEC(PlanNamedSubnet) named; // of a network of the same file
    bool has_others;            // which are not known, or of another file
    VEC(PlanField) zones;       // the known ones
    bool has_other_zones;       // which are not known
    int64_t free_addresses;     // of all of them; -1: not known
    Span blocks;                // of what they are cut from, where that is written; else SPAN_NONE

    // The first one that is known to be public; absent where none is.
    PlanField public;
    Span public_span;         // of what says so, where another place does; else SPAN_NONE
    const char *private_help; // how the group gets another one
    PlanField private; // what is to be true for private subnets, where its file has some; without a name: nothing is

    // Zones that the group names, and its network does not have.
    VEC(PlanField) zones_elsewhere; // the text is as it is printed
    bool has_no_place;              // in these dtc can plan nothing: no `allow` helps
    Str network;
    Span network_zones; // SPAN_NONE: it says none
    const char *network_label;
    const char *zone_help; // NULL: none

    // How nodes get into a zone in which their cluster can have no subnet, up to its name; NULL: it can.
    const char *cluster_of_zone;
} PlanNodeSubnets;
