// Slurm's health check on nodes that are checked, and the author's settings that change it.
#pragma once

#include "compiler/plan/model/plan.h"

// Whether nodes of the cluster check themselves.
bool plan_checks_nodes(const PlanCluster *cluster);

// The author's setting of slurm.conf with the name, in any case; NULL if there is none.
const Value *plan_slurm_setting(const PlanCluster *cluster, const char *name);

// When nodes do not look at themselves because of the setting of slurm.conf: "while jobs run". NULL if it takes no look
// away.
const char *plan_gap_of_health_check(const ValueEntry *setting);

// Whether dtc writes the health check of the cluster: not where the author has one, since Slurm runs one program, and that
// can run ours.
bool plan_writes_health_check(const PlanCluster *cluster);

// Whether Slurm has nodes look at themselves every few minutes by what dtc writes.
bool plan_runs_health_check(const PlanCluster *cluster);
