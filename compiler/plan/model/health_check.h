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

// Whether Slurm has nodes look at themselves every few minutes, by dtc's own program.
bool plan_has_health_check(const PlanCluster *cluster);
