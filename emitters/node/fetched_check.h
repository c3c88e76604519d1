// The check of nodes as a script that they fetch. So it takes almost no room in user data. The script lies under the
// cluster's `artifacts`, and its name has its SHA-256. Only groups with a check and a place for it are asked about.
#pragma once

#include "emitters/emitter.h"
#include "emitters/node/userdata.h"

// Whether nodes on EKS fetch it. On AWS Batch they do where user data has no room: batch_check_is_fetched().
bool fetched_check_is_wanted(const PlanNodes *nodes);

// The objects that the nodes' role has to read: "bucket/prefix/llm.gpu-node-*.sh". The pattern covers later checks of
// the group, too: the role stays when a new template names another one.
Str fetched_check_objects(Arena *arena, const PlanNodes *nodes);

// Adds the part that fetches and runs it; setup_add_scripts() has added what it calls.
void fetched_check_add_part(Session *session, Output *output, const PlanNodes *nodes, UserDataParts *parts);

// Writes the file, and has `step` wait for its upload.
void fetched_check_upload(Session *session, const Plan *plan, Output *output, const PlanNodes *nodes,
                          DeploymentStep *step);

// Says what the role of an instance profile that is there has to read. Nothing where dtc makes the role.
void fetched_check_decide_role(Arena *arena, PlanDecisions *decisions, const PlanNodes *nodes);
