// Controllers of AWS PCS: how many nodes and jobs each size manages, and the controller of a cluster, whoever wrote it.
#pragma once

#include "compiler/plan/model/launch.h"

typedef enum { PCS_SMALL, PCS_MEDIUM, PCS_LARGE } PcsSize;

typedef struct {
    const char *word; // of `size`
    const char *name; // as the service has it
    int nodes_max;
    int jobs_max; // that wait and run
} PcsSizeRow;

// A group of nodes that the controller manages.
typedef struct {
    Span span; // of its name
    PlanField most;
} PlanPcsGroup;

typedef struct PlanPcsController {
    PlanForm form;
    const Subject *subject;
    Str name;
    Span name_span;
    PlanField version; // of Slurm
    PlanField size;    // as it is written; absent: dtc takes the least that manages the groups
    bool knows_size;
    PcsSize manages;          // if `knows_size`
    VEC(PlanPcsGroup) groups; // those that are known to be the cluster's
} PlanPcsController;

const PcsSizeRow *plan_pcs_size(PcsSize size);

// The size that a word of `size` means.
PcsSize plan_pcs_size_of(Str word);

// The least size with room for so many nodes; the largest where none has.
PcsSize plan_pcs_least_size(int64_t nodes);

// How many nodes the groups can have together, those that are not known left out.
int64_t plan_pcs_nodes(const PlanPcsController *controller);
