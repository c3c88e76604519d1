// File systems of a cluster on AWS Batch or AWS PCS, as its nodes mount them at every boot: each at its `mount`, where
// containers find them on the host.
#pragma once

#include "emitters/cloudformation/nodes/late_text.h"
#include "emitters/node/userdata.h"

// The part of user data; the cluster has a storage. stdlib/node/fail.sh comes before it.
Str mount_script(LateText *late, const PlanCluster *cluster);

// Says which clients nodes install without a sum.
void mount_decide(Stack *stack, const PlanCluster *cluster);

// Why it is there.
const Origin *mount_script_origin(Arena *arena, const PlanCluster *cluster);
