// What a node of EKS on Amazon Linux 2023 is told at its start beside what it must know to join, which eksctl or EKS
// say: the author's scripts, its check, and a NodeConfig with what the two need of nodeadm. It is the same whoever
// carries it, a launch template of ours or one of eksctl's.
#pragma once

#include "emitters/emitter.h"
#include "emitters/userdata.h"

// Parts in the order in which they run, in the session's arena; none where there is nothing to say. The NodeConfig,
// where there is one, is the only part of its kind. Without `has_check` the node does not check itself, whatever the
// group says: a check that nobody asked for gives way where there is no room for it.
UserDataParts eks_start_parts(Session *session, const Plan *plan, Output *output, const PlanNodes *nodes,
                              bool has_check);

// What eksctl or EKS add of their own to these parts, in bytes, at most: the NodeConfig that says how to join, with the
// labels and taints of the author. The certificate is most of it.
size_t eks_start_own_bytes(Arena *arena, const PlanNodes *nodes);

// The author's taints, as the kubelet takes them: `key=value:effect,…`; empty without.
Str eks_start_taints(Arena *arena, const PlanNodes *nodes);

// Why the parts are there; NULL where there are none.
const Origin *eks_start_origin(Arena *arena, const PlanNodes *nodes, bool has_check);
