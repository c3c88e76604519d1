// A cluster configuration of AWS ParallelCluster, as its author wrote it, and as rules ask for it. Each compute resource
// is a group. Where nothing is written, `span` is the place at which it could be.
#pragma once

#include "compiler/plan/model/launch.h"
#include "compiler/plan/model/file_system.h"
#include "compiler/plan/model/plan_group.h"
#include "compiler/plan/model/plan_slurm.h"

// A part of the file that comments can allow things in.
typedef struct {
    const Subject *subject;
    Span whole;
} PlanSection;

// The root volume of the head, or of a queue.
typedef struct {
    const Subject *subject;
    Str owner;      // "the head"
    bool has_image; // of its own
    PlanField size; // in GiB
    PlanField type;
} PlanConfigurationVolume;

typedef struct {
    const Subject *subject;
    const InstanceRow *row; // NULL: not known
    PlanField type;
    PlanField key;         // of ssh
    PlanField allowed_ips; // from where ssh reaches it
    PlanField elastic_ip;
    bool has_groups; // security groups of its own, in the place of the one that `allowed_ips` is for
    PlanField disks; // where its own are mounted
} PlanConfigurationHead;

typedef struct {
    const Subject *subject;
    PlanField name;
    PlanField capacity;
    PlanFields subnets;
    PlanField public_ip;
    PlanField disks;  // where those of its nodes are mounted
    const Value *iam; // Iam; NULL: none
    bool has_image;   // of its own
    bool has_scripts; // that run before its nodes take work
    uint32_t resource_count;
} PlanConfigurationQueue;

// How instances stand to each other.
typedef enum {
    PLACED_NOWHERE,  // nothing is said of a placement group
    PLACED_FREELY,   // it is refused
    PLACED_TOGETHER, // in a placement group
    PLACED_LATE,
} PlacedHow;

// What a compute resource says in words of ParallelCluster's own, and its queue for it.
typedef struct PlanPclusterGroup {
    const struct PlanConfiguration *configuration; // its file
    const PlanConfigurationQueue *queue;
    PlanField name;
    PlanField type;   // InstanceType; absent where there are Instances
    PlanField memory; // SchedulableMemory, in MiB
    PlanField single; // DisableSimultaneousMultithreading
    PlacedHow placed;
    PlanField placement; // what says so
} PlanPclusterGroup;

// A script that nodes fetch and run.
typedef struct {
    const Subject *subject;
    PlanField url;
} PlanCustomAction;

typedef struct PlanConfiguration {
    const Subject *subject;    // the file
    const Value *document;     // VALUE_MAP: all of it
    VEC(PlanSection) sections; // an outer one before those in it
    bool is_slurm;
    PlanField region;
    PlanField os;
    PlanField image; // a CustomAmi that all nodes start from
    PlanField imds;  // ImdsSupport
    PlanConfigurationHead head;
    VEC(const PlanConfigurationQueue *) queues;
    VEC(const PlanGroup *) groups; // compute resources
    VEC(PlanConfigurationVolume) volumes;
    VEC(const PlanFileSystem *) storages;
    const PlanClusterStorage *mounts; // these, with what else is mounted
    VEC(PlanCustomAction) actions;
    PlanSettings settings; // of Slurm
} PlanConfiguration;

// The innermost section that a place is in; the file where it is in none.
const Subject *configuration_subject(const PlanConfiguration *configuration, Span span);
