// VPC endpoints: what a word of `endpoints` stands for, and which words the nodes of a cluster need.
#pragma once

#include "compiler/plan/model/plan.h"

// One endpoint of a word (schema/endpoints.def).
typedef struct {
    const char *word;    // "ecr"
    const char *service; // "ecr.api", behind the prefix and the region
    const char *id;      // end of its logical id
    bool is_gateway;     // a route; else an address in each private subnet
} EndpointRow;

extern const EndpointRow ENDPOINT_ROWS[];
extern const size_t ENDPOINT_ROW_COUNT;

// A service that AWS has ended.
typedef struct {
    const char *service;
    const char *day;
    const char *instead; // the service that has its calls
} EndpointGoneRow;

extern const EndpointGoneRow ENDPOINT_GONE_ROWS[];
extern const size_t ENDPOINT_GONE_ROW_COUNT;

typedef enum {
    ENDPOINT_UNUSED,
    ENDPOINT_USEFUL, // to reach a node, not for its work
    ENDPOINT_VITAL,  // without it nodes do not join, or their jobs fail
} EndpointUse;

// What a cluster's nodes do with the endpoints of a word (schema/endpoint_needs.def).
EndpointUse endpoint_use(const PlanCluster *cluster, const char *word);

// Whether a word stands for interface endpoints.
bool endpoint_is_interface(Str word);

// The words that are vital for a cluster and that its network, one that is made, has not: "`ecr`, `ecs` and `logs`".
// Empty if it has all of them. `words` begins with those that it has, and is as the language writes a list: "s3, ecr".
Str endpoints_missing(Arena *arena, const PlanCluster *cluster, Str *words);
