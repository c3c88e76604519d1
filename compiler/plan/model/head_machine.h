// The head: the machine that people log in to, and that runs the scheduler of ParallelCluster. It is declared, or stands
// in a cluster configuration; rules ask for it in one way.
#pragma once

#include "compiler/plan/model/configuration.h"

// Nodes that work for the head, of one type.
typedef struct {
    Str name;
    const InstanceRow *row;
    Span type; // where the type is written
} PlanHeadGroup;

typedef struct {
    const Subject *subject;
    const InstanceRow *row; // NULL: not known
    Span type;              // where the type is written
    bool runs_slurm;        // and not AWS Batch
    bool has_address;       // known to be a public one
    Span address;           // what gives it; SPAN_NONE: its subnet
    bool has_key;           // so that ssh is used
    Span key;
    bool takes_everybody; // no range of addresses is written, or that of all
    Span range;           // where it is written, or could be
    const char *better;   // range, as it is written there
    VEC(PlanHeadGroup) groups;
} PlanHeadMachine;

// The head of a declared cluster on Slurm. Its row is NULL if the cluster has no head.
PlanHeadMachine head_of_cluster(Arena *arena, const PlanCluster *cluster);

// The head of a cluster configuration. A compute resource counts by the first type that is written for it.
PlanHeadMachine head_of_configuration(Arena *arena, const PlanConfiguration *configuration);

// Whether everybody reaches its ssh.
bool head_is_open(const PlanHeadMachine *head);

// The first group of another architecture than the head; NULL if there is none, as far as is known.
const PlanHeadGroup *head_other_architecture(const PlanHeadMachine *head);
