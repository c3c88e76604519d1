// Questions about a group of nodes that several places ask.
#pragma once

#include "compiler/plan/model/plan.h"

// Whether a group of EKS has no node at first; false where the deployment decides.
bool plan_begins_empty(const PlanNodes *nodes);

// Whether nobody knows how many EFA interfaces the nodes of a group have: where the target places them, on a type of which
// no source says how many there can be.
bool plan_efa_is_unknown(const PlanNodes *nodes);

// Why the nodes of a group have nothing to measure together, "has no EFA"; NULL where they have. A single node has no EFA by
// itself.
const char *plan_nothing_to_measure(const PlanNodes *nodes);

// Why the nodes of a queue of ParallelCluster are in one subnet, "EFA", and where that is said; without a reason they may
// be in several. And the report that they are in `count`.
typedef struct {
    const char *reason;
    Span span;
} PlanOneSubnet;

PlanOneSubnet plan_one_subnet(const PlanNodes *nodes);

void plan_report_queue_in_subnets(Session *session, const PlanNodes *nodes, uint32_t count);

// How many percent of a group's new nodes may stay away from a stack that waits for them, where there are as many as a
// number says, or more.
int64_t plan_tolerance(const PlanNodes *nodes, const Value *least);

// Whether eksctl puts an interface of EFA wherever the type takes one.
bool plan_is_placed_by_eksctl(const InstanceRow *row);

// Whether its nodes must be in one zone: for EFA, or for a placement group.
bool plan_wants_one_zone(const PlanNodes *nodes);

// Memory of a node that a job may ask for, in MiB.
int64_t plan_allocatable_mib(const InstanceRow *row);
