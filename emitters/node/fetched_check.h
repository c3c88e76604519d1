// The check of nodes on EKS as a script that they fetch. So it takes almost no room in user data. The script lies under
// the cluster's `artifacts`, and its name has its SHA-256.
#pragma once

#include "emitters/emitter.h"
#include "emitters/node/userdata.h"

bool fetched_check_is_wanted(const PlanNodes *nodes);

// The objects that the nodes' role has to read: "bucket/prefix/llm.gpu-node-*.sh". The pattern covers later checks of
// the group, too: the role stays when a new template names another one. Empty where nothing is fetched.
Str fetched_check_objects(Arena *arena, const PlanNodes *nodes);

// Adds the part that fetches and runs it; setup_eks_parts() has added what it calls.
void fetched_check_add_part(Session *session, Output *output, const PlanNodes *nodes, UserDataParts *parts);

// Writes the file, and has `step` wait for its upload. Nothing where it is not wanted.
void fetched_check_upload(Session *session, const Plan *plan, Output *output, const PlanNodes *nodes,
                          DeploymentStep *step);
