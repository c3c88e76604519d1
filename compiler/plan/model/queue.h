// Queues, and the groups whose nodes they take.
#pragma once

#include "compiler/plan/model/plan.h"

// The first queue of the cluster that names the group; NULL if none does, so that the group keeps its own.
const PlanQueue *plan_queue_of(const PlanCluster *cluster, Str group);

// At which place a queue takes the nodes of a group, from 0.
uint32_t plan_place_in_queue(const PlanQueue *queue, const PlanNodes *nodes);
