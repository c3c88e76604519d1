// Sizes of the controllers of AWS PCS, and how many nodes and jobs each manages.
#pragma once

#include "compiler/plan/model/plan.h"

typedef struct {
    const char *word; // of `size`
    const char *name; // as the service has it
    int nodes_max;
    int jobs_max; // that wait and run
} PcsSizeRow;

const PcsSizeRow *plan_pcs_size(PcsSize size);

// The size that a word of `size` means.
PcsSize plan_pcs_size_of(Str word);

// The least size with room for so many nodes; the largest where none has.
PcsSize plan_pcs_least_size(int64_t nodes);

// How many nodes the groups of a cluster can have together.
int64_t plan_pcs_nodes(const PlanCluster *cluster);
