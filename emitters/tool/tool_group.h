// The capacity of a node group for a tool, whose file can decide nothing later. It says which alternative of the
// capacity holds, and which placement group and security group the group gets.
#pragma once

#include "emitters/tool/tool_file.h"

typedef struct {
    const PlanCapacity *capacity; // the one that holds
    const Value *name;            // of a placement group that is there; NULL
    bool is_new;                  // a new cluster placement group
    const Value *security_group;  // that the network names, beside those that the tool makes; NULL
} ToolGroup;

ToolGroup tool_group(ToolFile *file, const PlanNodes *nodes);
