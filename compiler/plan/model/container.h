// A container of AWS Batch as rules ask for it, with what it needs of its nodes. Jobs that infra.dt declares have one,
// and so have raw definitions.
#pragma once

#include "compiler/plan/model/launch.h"
#include "compiler/plan/model/file_system.h"
#include "compiler/plan/model/volume.h"
#include "compiler/plan/model/plan_group.h"
#include "compiler/plan/model/launch.h"
#include "compiler/plan/model/plan_resource.h"
#include "compiler/plan/model/control_plane.h"

// Nodes with EFA on which a container runs.
typedef struct {
    const InstanceRow *row;
    int efa_count;
    bool is_al2023; // known to be the service's own image of it
    Span span;      // of the type
} PlanEfaNodes;

typedef VEC(PlanEfaNodes) PlanEfaNodesList;

// A variable of its environment, or one that the launcher hands on. Both fields are known; in a
// launcher the value may be FIELD_LATE.
typedef struct {
    PlanField name;
    PlanField value;
    Span initial; // where the value is the default of a late param: that default; else SPAN_NONE
    Str fallback; // what it is where nobody sets it before: 8 of `TP=${TP:-8}`; empty: nothing like that is known
    Str of_pod;   // what Kubernetes fills in: "status.podIP"; empty: something else, or it does not
} PlanVariable;

// A variable whose value is one of infra.dt; false where that cannot be told before the deployment.
bool container_variable(Arena *arena, Str name, Span name_span, const Value *value, PlanVariable *variable);

// A container of a job, and what it needs of the nodes on which it runs.
typedef struct PlanContainer {
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
    PlanField devices;     // the property; its text is nothing
    int efa_devices;       // that are known to be mapped
    PlanField last_device; // the one of EFA with the highest number, as the host calls it; absent: there is none
    int neuron_cores;      // the most that it may have; 0: none, or not known
    Span neuron_span;      // then: what says so
    PlanField memlock;     // soft limit
    VEC(PlanVariable) variables;

    // Of a declared job without a launcher, too. Absent where something else tells the command of other nodes.
    PlanFields command;
    const struct PlanLauncher *launcher; // what that starts

    // Of a job definition that somebody wrote; absent of a declared job, whose attributes say it.
    PlanField image;
    PlanField user;
    PlanField attempts;
    PlanField timeout; // in seconds
    PlanField log_driver;
    VEC(PlanVariable) secrets;
    PlanField most_nodes; // that its compute environment can have at once; its text is the number
    Str most_of;          // as that is called
    PlanField other_type; // of a compute environment, where none has the type of the job; absent: one has, or may have
} PlanContainer;

// What the raw resources of one stack are, or what else was found in one file.
typedef struct {
    PlanResources resources; // of a template; those of infra.dt are in their parts
    VEC(const PlanLaunch *) launches;
    VEC(const PlanGroup *) groups; // of nodes
    VEC(const PlanSecurityGroup *) security_groups;
    VEC(const PlanVpc *) vpcs;
    VEC(const PlanControlPlane *) control_planes; // of EKS
    VEC(const struct PlanPcsController *) controllers;
    VEC(const struct PlanProvisioning *) provisionings; // of HyperPod
    VEC(const PlanFileSystem *) file_systems;
    VEC(const PlanVolume *) volumes;
    VEC(const PlanContainer *) containers;
    VEC(const struct PlanWorkload *) workloads;            // the same containers
    VEC(const struct PlanConfiguration *) configurations;  // of ParallelCluster
    VEC(const struct PlanClusterConfig *) cluster_configs; // of eksctl
} PlanRaw;
