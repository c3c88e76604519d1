// Makes the names of stacks and resources from the names of blocks.
#pragma once

#include "compiler/plan/model/plan.h"

// PascalCase of the block's name, of the group's (may be empty), and the role, laid end to end.
Str plan_logical_id(Arena *arena, Str block, Str group, const char *role);

// "train.gpu": a group as files and lines of the build call it.
Str plan_group_path(Arena *arena, const PlanNodes *nodes);

// A name for a stack, from that of a cluster on EKS, which may begin with a digit and hold `_`: those are replaced.
Str plan_eks_stack_name(Arena *arena, Str name);

// Behind the name of a cluster on ParallelCluster: the stack with what its nodes read and write.
#define PLAN_ACCESS_SUFFIX "-access"

// What EKS calls a cluster: the name of the running one, or its own.
const Value *plan_eks_name(const PlanCluster *cluster);

// The block for which eksctl makes the cluster in this build: its own, or another one that `existing` names. NULL: the
// cluster is there already.
const PlanCluster *plan_eks_maker(const Plan *plan, const PlanCluster *cluster);
bool plan_eks_is_made(const Plan *plan, const PlanCluster *cluster);

// "eksctl-NAME-cluster": the stack that eksctl makes of a cluster (eksctl, pkg/cfn/manager, 2026-08).
Str plan_eksctl_stack(Arena *arena, Str cluster_name);

// "1.9" and "1.35" as numbers: what stands behind the dot. 0 where the text is no such version.
int plan_kubernetes_minor(Str version);

// Whether EKS has the version in standard support, and a source says until when: a version to go to.
bool plan_kubernetes_is_way_out(const KubernetesRow *row);

// All of these, newest first, each with its day: "1.36 (until 2027-08-02), …".
Str plan_kubernetes_ways_out(Arena *arena);
