// Questions about a group that `nodes` declares, which several places ask. What rules ask of any group is in plan_group.h.
#pragma once

#include "compiler/plan/model/plan.h"

// Whether a group on EKS starts without nodes. False if only the deployment decides that.
bool plan_begins_empty(const PlanNodes *nodes);

// Whether the number of EFA interfaces of a group's nodes is unknown. That is so if the target places the interfaces,
// and no source says how many the type can have.
bool plan_efa_is_unknown(const PlanNodes *nodes);

// Whether nodes of a type with EFA go without, since nobody wrote `efa` and the type mostly works alone.
bool plan_leaves_efa(const PlanNodes *nodes);

// What else is possible for a group that must be in one zone: ", or `efa = none` for nodes that work alone".
const char *plan_way_without_zone(const PlanNodes *nodes);

// Why the nodes of a group cannot measure each other: "has no EFA". NULL if they can. A single node has no EFA by
// default.
const char *plan_nothing_to_measure(const PlanNodes *nodes);

// Why nothing measures the accelerators of a group with `collective = nccl`, on which something is to be measured. NULL
// if its first job does; whether it does, for any group.
const char *plan_no_accelerators_measured(const PlanNodes *nodes, const PlanValidate *validate);
bool plan_measures_accelerators(const PlanNodes *nodes);

// Why the nodes of a ParallelCluster queue must be in one subnet ("EFA"), and where the source says so. Without a
// reason they may be in several.
typedef struct {
    const char *reason;
    Span span;
} PlanOneSubnet;

PlanOneSubnet plan_one_subnet(const PlanNodes *nodes);

// Reports that the nodes of such a queue are in `count` subnets.
void plan_report_queue_in_subnets(Session *session, const PlanNodes *nodes, uint32_t count);

// How many percent of a group's new nodes need not join the stack that waits for them. `least` is the least number of
// nodes.
int64_t plan_tolerance(const PlanNodes *nodes, const Value *least);

// Whether eksctl puts an EFA interface in every place where the type takes one.
bool plan_is_placed_by_eksctl(const InstanceRow *row);

// Whether the nodes of a group must be in one zone, because of EFA or a placement group.
bool plan_wants_one_zone(const PlanNodes *nodes);

// NeuronCores of a node as its processes see them, of which each takes one: two cores of Trainium2 and later are one
// logical core. 0: the type has none. https://awsdocs-neuron.readthedocs-hosted.com, Logical NeuronCore configuration,
// 2026-11.
int64_t plan_neuron_cores(const InstanceRow *row);

// A group with EFA, as the nodes on which a container may run.
PlanEfaNodes plan_efa_nodes(const PlanNodes *nodes);

// "g5.12xlarge, g6.12xlarge"
Str plan_type_names(Arena *arena, const PlanNodes *nodes);

// The type with the most memory, and of those the first. Where memory is not known of a type, that is the one.
const PlanGroupType *plan_largest_type(const PlanNodes *nodes);

// False of a copy with another type (PlanNodes.with_other_types): what is true of the group as a whole is said of the
// group.
bool plan_is_whole_group(const PlanNodes *nodes);

// Whether nodes of the group may be of the type.
bool plan_has_type(const PlanNodes *nodes, Str name);

// The parameter of Systems Manager in which nodes of a group count those that fail, so that not all of them are kept from
// work: "/dtc/CLUSTER/GROUP/failed". Empty: nobody counts.
Str plan_failures(Arena *arena, const PlanNodes *nodes);

// What the nodes of a group have to be allowed to write, "bucket/folder/*"; empty where their verdicts stay with them.
Str plan_verdict_objects(Arena *arena, const PlanNodes *nodes);

// The ARN of the KMS key by which those are encrypted; NULL where no permission on a key is needed.
const Value *plan_verdict_key(const PlanNodes *nodes);
