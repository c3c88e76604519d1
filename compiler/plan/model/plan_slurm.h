// What only a cluster of Slurm has.
#pragma once

#include "compiler/plan/model/plan_nodes.h"

// The instance of a Slurm cluster that users log in to and that runs the scheduler.
typedef struct {
    PlanHead head;
    const InstanceRow *instance;
    const Value *instance_value; // its name, for its span and origin
    const Value *disk;           // VALUE_SIZE or NULL: as the AMI has it
    const Value *key;            // string, late, late optional; NULL
    const Value *allowed_ips;    // from where ssh reaches it; may be late; NULL: ParallelCluster lets everybody in
    const Value *policies;       // list; the one for Session Manager is the first
    PlanScripts setup;           // in the order in which they run
    const Value *subnet;         // may be late; NULL: there is none for it, and reported
} PlanHeadNode;

// What CloudWatch is told of a cluster on Slurm.
typedef struct {
    const Value *detailed; // VALUE_BOOL or NULL, as the others
    const Value *logs;
    const Value *dashboard;
} PlanMonitoring;

// The line of slurm.conf that a setting is for.
typedef enum { SLURM_CLUSTER, SLURM_NODE, SLURM_PARTITION } SlurmPlace;

// A setting that somebody writes into slurm.conf, in the words of the language or by a patch of ParallelCluster's file.
typedef struct {
    const Subject *subject; // what findings are about
    const PlanCluster *cluster;
    SlurmPlace place;
    bool is_patched;
    bool has_database; // of a file of ParallelCluster's own: it has a `Database`
    const ValueEntry *entry;
    const ValueEntry *before; // those before it in the same map
    uint32_t before_count;
} PlanSetting;

typedef VEC(PlanSetting) PlanSettings;

// What only a cluster of Slurm has. What is NULL was not given: the service's default holds.
typedef struct {
    const PlanHeadNode *head_node;   // NULL: missing, and reported
    const Value *scaledown_idletime; // VALUE_DURATION
    const Value *settings;           // map, in the author's order
    PlanSettings all_settings;       // these, those of the groups, and those of patches
    const Value *database; // tag mysql(host, user, secret, name); arguments may be late, the last may be missing
    PlanMonitoring monitoring;
    bool is_without_route53; // the head is in a subnet without a way to the internet, and Route 53 has no endpoint
} PlanSlurm;
