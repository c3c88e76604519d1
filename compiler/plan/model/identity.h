// What a job on EKS may do in AWS: its pods take a role by EKS Pod Identity, through a service account of the job. The
// role and its association stand in the stack of the cluster's nodes, which is there for them alone if need be.
#pragma once

#include "compiler/plan/model/plan.h"

// Whether the pods of a job on EKS take a role.
bool plan_job_has_identity(const PlanJob *job);

// Whether those of any job of the cluster do.
bool plan_has_identities(const PlanCluster *cluster);

// Whether dtc writes a stack for a cluster on EKS: for groups, launch templates, or the roles of jobs.
bool plan_has_node_stack(const PlanCluster *cluster);

// Whether an attribute of a part says what a job on EKS may do, so that its value goes into that stack.
bool plan_is_of_identity(const PlanPart *part, int attribute);
