// What a node of EKS on Amazon Linux 2023 runs at its start: the author's scripts, its check, and a NodeConfig with
// what these two need from nodeadm. eksctl or EKS add what it needs to join. It is the same in a launch template of dtc
// and in one of eksctl.
#pragma once

#include "emitters/emitter.h"
#include "emitters/node/preflight_script.h"
#include "emitters/node/setup.h"
#include "emitters/node/userdata.h"

// How much of what a group asks for travels in user data. In this order it is less and less.
typedef enum {
    EKS_START_WHOLE,
    EKS_START_FETCHED,   // nodes fetch their scripts
    EKS_START_UNCOUNTED, // nobody counts the nodes that fail, so that none is replaced
    EKS_START_UNCHECKED, // a check that nobody asked for is left out
    EKS_START_WAYS,
} EksStartWay;

// The first way of a group, and the next one where there is no room; EKS_START_WAYS: that was the last.
EksStartWay eks_start_first(const PlanNodes *nodes);
EksStartWay eks_start_next(Session *session, const PlanNodes *nodes, EksStartWay way);
bool eks_start_has_check(const PlanNodes *nodes, EksStartWay way);
SetupWay eks_start_setup(EksStartWay way);

// Parts in the order in which they run, in the session's arena; none where there is nothing to say. The NodeConfig,
// where there is one, is the only part of its kind.
UserDataParts eks_start_parts(Session *session, Output *output, const PlanNodes *nodes, EksStartWay way);

// Writes the files that nodes fetch, and has `step` wait for their upload.
void eks_start_upload(Session *session, const Plan *plan, Output *output, const PlanNodes *nodes, EksStartWay way,
                      DeploymentStep *step);

// The most bytes that eksctl or EKS add to these parts: the NodeConfig that says how to join, with the labels and
// taints of the author. The certificate is most of it.
size_t eks_start_own_bytes(Arena *arena, const PlanNodes *nodes);

// Pieces of a NodeConfig, which whoever says himself how a node joins puts together otherwise: how it begins, up to
// `spec:`; what gives the instance's own disks to the kubelet; and the flag, a line of `flags:`, by which a node joins
// with the author's taints and, with `has_check`, that of a node that has not passed. The flag is empty where there are
// none.
extern const char EKS_START_NODE_CONFIG[];
extern const char EKS_START_DISKS[];
Str eks_start_taint_flag(Arena *arena, const PlanNodes *nodes, bool has_check);

// Adds the check, behind all that may install what it looks for.
void eks_start_add_check(Session *session, Output *output, const PlanNodes *nodes, EksStartWay way,
                         UserDataParts *parts);

// Whether eksctl alone says how a node joins: in groups of its own, and beside an image. Else EKS does.
bool eks_start_is_whole(const PlanNodes *nodes);

// Why the parts are there; NULL where there are none.
const Origin *eks_start_origin(Arena *arena, const PlanNodes *nodes, bool has_check);
