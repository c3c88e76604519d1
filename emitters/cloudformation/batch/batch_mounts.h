// File systems of a cluster on AWS Batch, as its nodes mount them at every boot: each at its `mount`, where containers
// find them on the host.
#pragma once

#include "emitters/cloudformation/nodes/late_text.h"
#include "emitters/node/userdata.h"

// The part of user data; the cluster has a storage. stdlib/node/fail.sh comes before it.
Str batch_mount_script(LateText *late, const PlanCluster *cluster);

// Why it is there.
const Origin *batch_mount_origin(Arena *arena, const PlanCluster *cluster);
