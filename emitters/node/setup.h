// What nodes run before they take work, as parts of user data: what the author's scripts share (stdlib/node/), then the
// scripts. The first script that fails ends the setup. How it then keeps the node from work depends on the service that
// gives the work.
#pragma once

#include "emitters/emitter.h"
#include "emitters/node/userdata.h"

// Adds what scripts call that fail. `target` ("eks") names the files of stdlib/ that keep a node from work and say so.
void setup_add_fail(Arena *arena, UserDataParts *parts, const char *target);

// Adds a part with what the scripts share and one for each of them; nothing where the group has none. A check that is
// fetched calls what they share, too.
void setup_add_scripts(Arena *arena, UserDataParts *parts, const PlanNodes *nodes, bool is_check_fetched);

// Both of a group on EKS: what calls off the kubelet where a script fails, and the scripts.
UserDataParts setup_eks_parts(Arena *arena, const PlanNodes *nodes);

// Why the scripts are there.
const Origin *setup_origin(Arena *arena, const PlanNodes *nodes);
