// What of the check of a group's nodes has no room in user data: they fetch it from the cluster's `artifacts`. It is a
// script, which has the node look again while it works, and the program that asks drivers. Names have sums of the content.
#pragma once

#include "emitters/emitter.h"
#include "emitters/node/preflight_script.h"

// Whether nodes of AWS Batch and EKS fetch it. ParallelCluster's fetch the whole check, which has the script in it.
bool second_stage_is_wanted(const PlanNodes *nodes);

// Tells the check where it is. Nothing where it is not wanted.
void second_stage_carry(Session *session, Output *output, const PlanNodes *nodes, PreflightCarrier *carrier);

// The objects that the nodes' role has to read: its files, and scripts of `setup` for which user data has no room.
Str second_stage_objects(Arena *arena, const PlanNodes *nodes);

// Writes its files, and has `step` wait for their upload. Nothing where it is not wanted.
void second_stage_upload(Session *session, const Plan *plan, Output *output, const PlanNodes *nodes,
                         PreflightCarrier carrier, DeploymentStep *step);

// Says what the role of an instance profile that is there has to read. Nothing where dtc makes the role.
void second_stage_decide_role(Arena *arena, PlanDecisions *decisions, const PlanNodes *nodes);
