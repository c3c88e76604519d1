// AWS Batch as rules ask for it: compute environments, and containers with what they need of their nodes. Groups and
// jobs that infra.dt declares have them, and so have raw resources.
#pragma once

#include "compiler/plan/model/launch.h"
#include "compiler/plan/model/file_system.h"
#include "compiler/plan/model/volume.h"
#include "compiler/plan/model/node_group.h"
#include "compiler/plan/model/offer.h"
#include "compiler/plan/model/plan_resource.h"
#include "compiler/plan/model/vpc.h"

// Nodes with EFA on which a container runs.
typedef struct {
    const InstanceRow *row;
    int efa_count;
    bool is_al2023; // known to be the service's own image of it
    Span span;      // of the type
} PlanEfaNodes;

typedef VEC(PlanEfaNodes) PlanEfaNodesList;

// A variable of its environment, or one that the launcher hands on. Both fields are known.
typedef struct {
    PlanField name;
    PlanField value;
    Span initial; // where the value is the default of a late param: that default; else SPAN_NONE
} PlanVariable;

// A variable whose value is one of infra.dt; false where that cannot be told before the deployment.
bool container_variable(Arena *arena, Str name, Span name_span, const Value *value, PlanVariable *variable);

// A container of a job, and what it needs of the nodes on which it runs.
typedef struct {
    PlanForm form;
    const Subject *subject;
    Str name; // of the job, or of the definition
    bool is_multi_node;
    bool has_own_network;       // a pod, whose interface is eth0 whatever those of its node are called
    PlanField nodes;            // how many
    int64_t alike;              // those of them that run this container as it is written; 0: not known
    const InstanceRow *row;     // of the nodes; NULL where that is not known
    PlanField instance_type;    // of the nodes
    int efa_count;              // EFA interfaces of a node; -1: not known
    int efa_most;               // EFA interfaces of the type that has the most, of those it may run on; -1: not known
    Str efa_of;                 // the compute environment that gives it none; empty: none is known to
    Span efa_span;              // then: what says so
    PlanEfaNodesList efa_nodes; // every kind of node on which it may run; none where one of them has no EFA
    Span key;                   // where the container is written

    // Where nothing is written, `span` is the place at which it could be.
    PlanField vcpus;
    PlanField gpus;
    PlanField memory;     // as it is written
    int64_t memory_bytes; // -1: no number
    PlanField shm;
    int64_t shm_bytes;
    PlanField devices; // the property; its text is nothing
    int efa_devices;   // that are known to be mapped
    int neuron_cores;  // the most that it may have; 0: none, or not known
    Span neuron_span;  // then: what says so
    PlanField memlock; // soft limit
    VEC(PlanVariable) variables;

    // Of a declared job without a launcher, too. Absent where something else tells the command of other nodes.
    PlanFields command;
    const struct PlanLauncher *launcher; // what that starts

    // Of a job definition that somebody wrote; absent of a declared job, whose attributes say it.
    PlanField image;
    PlanField user;
    PlanField attempts;
    PlanField timeout; // in seconds
    VEC(PlanVariable) secrets;
    PlanField most_nodes; // that its compute environment can have at once; its text is the number
    Str most_of;          // as that is called
    PlanField other_type; // of a compute environment, where none has the type of the job; absent: one has, or may have
} PlanContainer;

// An image of the service's own that new environments start from.
typedef struct {
    PlanField field;
    const ImageRow *row; // NULL: the rows have none of that name
} PlanServiceImage;

// What keeps other instances from a compute environment that is there: what is absent keeps nothing from it.
typedef struct {
    bool is_best_fit;   // its strategy is BEST_FIT, which is the default
    PlanField strategy; // AllocationStrategy
    PlanField role;     // ServiceRole, known to be another one than the service-linked role
    PlanField in_place; // ReplaceComputeEnvironment that is false
    PlanField name;     // ComputeEnvironmentName that another environment would have, too
} PlanUpdate;

// A compute environment.
typedef struct {
    PlanForm form;
    const Subject *subject;
    Str name;
    bool is_spot;
    PlanField capacity;              // what says how its instances are bought
    VEC(const PlanContainer *) jobs; // that run nowhere else
    PlanFields instance_types;
    PlanField most_vcpus;         // MaxvCpus
    PlanTypes types;              // all of them, of a raw one; none where one is not known
    PlanField public_subnet;      // one that has a route to an internet gateway; absent where none is known to
    PlanField own_image;          // that somebody names in the place of the service's
    VEC(PlanServiceImage) images; // none where it may start from an author's
    const PlanLaunch *launch;     // NULL: not known
    Str launch_name;              // as the author calls the launch template; empty: it is another file's
    Span launch_key;              // where it is named
    PlanField launch_id;
    PlanField version;
    PlanUpdate update;
} PlanEnvironment;

// What the raw resources of one stack are, or what else was found in one file.
typedef struct {
    PlanResources resources; // of a template; those of infra.dt are in their parts
    VEC(const PlanLaunch *) launches;
    VEC(const PlanGroup *) groups; // of nodes
    VEC(const PlanOpening *) openings;
    VEC(const PlanVpc *) vpcs;
    VEC(const PlanFileSystem *) file_systems;
    VEC(const PlanVolume *) volumes;
    VEC(const PlanEnvironment *) environments;
    VEC(const PlanContainer *) containers;
    VEC(const struct PlanWorkload *) workloads;            // the same containers
    VEC(const struct PlanConfiguration *) configurations;  // of ParallelCluster
    VEC(const struct PlanClusterConfig *) cluster_configs; // of eksctl
} PlanRaw;
