// What nodes run before they take work, as parts of user data: what the author's scripts share (stdlib/node/), then the
// scripts. The first script that fails ends the setup. How it then keeps the node from work depends on the service that
// gives the work.
#pragma once

#include "emitters/emitter.h"
#include "emitters/node/userdata.h"

// How scripts of the project reach a node: inside its user data, or, where that has no room for them and the check, by a
// name in the cluster's `artifacts`.
typedef enum { SETUP_INSIDE, SETUP_FETCHED } SetupWay;

// Adds what scripts call that fail, and what those of the author's share. `target` ("eks") names the files of stdlib/ that
// keep a node from work and say so.
void setup_add_shared(Arena *arena, UserDataParts *parts, const PlanNodes *nodes, SetupWay way, const char *target);

// Whether there is a place to fetch them from, a role that may, and something to fetch.
bool setup_may_be_fetched(const PlanNodes *nodes);

// Writes the scripts that are fetched, and has `step` wait for their upload; nothing where they are inside.
void setup_upload(Session *session, const Plan *plan, Output *output, const PlanNodes *nodes, SetupWay way,
                  DeploymentStep *step);

// Adds a part for each script of the author's.
void setup_add_scripts(Arena *arena, UserDataParts *parts, const PlanNodes *nodes, SetupWay way);

// Both of a group on EKS, which travel as one script: what calls off the kubelet where a script fails, and the scripts.
UserDataParts setup_eks_parts(Arena *arena, const PlanNodes *nodes, SetupWay way);

// Why the scripts are there.
const Origin *setup_origin(Arena *arena, const PlanNodes *nodes);
