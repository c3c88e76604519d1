// File systems of targets whose services know none of them.
#pragma once

#include "compiler/plan/model/plan.h"

// Whether the nodes mount the cluster's file systems by user data, and the cluster's stack makes those that are new.
bool plan_mounts_by_user_data(const PlanCluster *cluster);
