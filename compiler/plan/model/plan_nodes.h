// A group of nodes, as the Plan has it: what each is launched with, starts from and may do.
#pragma once

#include "compiler/plan/model/container.h"
#include "compiler/plan/model/plan_head.h"
#include "compiler/plan/model/nics.h"

// A chain of alternatives: where `id` is a late optional, `otherwise` holds without it. The last has no such id.
typedef struct PlanCapacity {
    CapacityKind kind;
    const Value *id; // NULL for on demand and spot
    const Origin *origin;
    const struct PlanCapacity *otherwise; // NULL at the end
} PlanCapacity;

// Nodes of a Capacity Block are in no group. Others are in the one that `name` names where it is given, else in a new
// one where `is_new` and no late optional reservation is given, else in none.
typedef struct {
    const Value *name; // of a group that is there; may be a late optional; NULL
    bool is_new;
    const Origin *origin; // of `is_new`
} PlanPlacement;

// A script that runs on a node before it takes work.
typedef struct {
    const Value *value;     // script(…), for its span and origin
    Str name;               // as the author wrote it: a path in the project, or a URL
    Str text;               // of a file; empty: it is fetched from the URL
    Str sha256;             // of what stands there; empty: not said
    const Value *arguments; // list of known strings; NULL: none
    bool is_fetching;       // `text` is dtc's, and fetches from the URL
} PlanScript;

typedef VEC(PlanScript) PlanScripts;

// Why a group has no first job, and what it needs for one: "an `image`". Both are NULL where nothing is in the way.
typedef struct {
    const char *why;
    const char *way;
} PlanJobGap;

typedef enum { ON_FAIL_QUARANTINE, ON_FAIL_TERMINATE, ON_FAIL_WARN } OnFail;

// What the nodes of a group check of themselves before they take work.
typedef struct {
    const PlanPart *part;      // `validate`; NULL where it is on without being written
    const Origin *origin;      // of its being there
    const Value *collective;   // word: all_reduce, nccl, none
    const Value *image;        // of the container in which nodes measure each other; may be late; NULL: none
    const Value *min_busbw;    // VALUE_RATE; NULL: a part of what others measured, or no floor
    OnFail on_fail;            // what becomes of a node that fails
    bool on_fail_written;      // else a fault that is not the hardware's only warns
    const Value *keep;         // VALUE_DURATION, how long a node that is to be ended is kept for a person
    bool is_script;            // the core is the one in POSIX sh
    bool has_second;           // a second stage is fetched from the cluster's `artifacts`
    bool has_program;          // which asks drivers: the system's C library can start dtc-collective
    const Value *files;        // list of known strings
    const Value *modules;      // list of known strings; NULL: those of the type and the storage
    const Value *limit;        // VALUE_DURATION
    const Value *verdicts;     // the folder in S3 that they are put into; NULL: none
    const Value *verdicts_key; // that its bucket encrypts with; NULL: none that needs a permission
    const Value *textfile;     // the folder of Prometheus' node exporter; NULL: none
    const char *gap;           // why the target cannot carry it; NULL: it can
    const PlanJob *job;        // the first job's, on Batch; on EKS that of the accelerators; NULL elsewhere, or without
    int first_job;             // nodes that measure each other in a job of their own; 0: there is no such job
    PlanJobGap job_gap;        // where they are to be measured and there is none
    Str record;                // what a node must find true: stdlib/node/contract.h has its form
} PlanValidate;

// Who makes the nodes of a group, and who writes the launch template that they start from. maker.def has a row for
// each.
typedef enum {
#define MAKER(name, target, group_in, template_of, is_managed, policies) MAKER_##name,
#include "compiler/plan/model/maker.def"
} PlanMaker;

// What only a group on AWS Batch has.
typedef struct {
    const Value *detailed_monitoring; // VALUE_BOOL
} PlanBatchNodes;

// What only a group on Slurm has.
typedef struct {
    const Value *exclusive;        // VALUE_BOOL
    const Value *compute_resource; // string; NULL: as the group
    const Value *settings;         // map; NULL
} PlanSlurmNodes;

// What only a group on EKS has.
typedef struct {
    const Value *group;          // word: managed, eksctl or stack
    const Value *desired;        // int; NULL: as the low end of the count
    const Value *repair;         // VALUE_BOOL: EKS replaces or restarts nodes that it finds unhealthy
    const Value *tolerance;      // VALUE_INT, percent of new nodes that may stay away; NULL: as plan_tolerance has it
    const Value *prefix;         // string; NULL
    const Value *labels;         // map
    const Value *taints;         // list of tags taint(key, value, effect); an effect as Kubernetes spells it
    const Value *addon_policies; // list of words
} PlanEksNodes;

// How many nodes a group has at least and at most.
typedef struct {
    const Value *low; // VALUE_INT: of a late end what it is where nothing else is given
    const Value *high;
    const Value *written_low; // the ends as they are written: late ones on EKS with `group = stack` alone
    const Value *written_high;
} PlanCount;

// The network interfaces of a node, as dtc places them.
typedef struct {
    Nics nics;
    int efa_count;
    NicLayout layout;
    const Origin *origin; // instance, efa, efa_layout and what they were worked out from
} PlanFabric;

// What a node starts from: the author's image, else the service's.
typedef struct {
    const Value *given;   // ami_id, ssm(path), late, or late optional; NULL: the service's image
    const ImageRow *row;  // the service's image for this type; NULL where there is none
    Str parameter;        // the row's, for the cluster's version of Kubernetes; empty without a row
    const Origin *origin; // what chose it: `os` and the instance type
} PlanAmi;

// The volume that a node starts from.
typedef struct {
    const Value *size;    // VALUE_SIZE; NULL: as the AMI has it
    const Value *type;    // VALUE_WORD
    const char *device;   // as images of the operating system name it: "/dev/xvda"
    bool is_device_known; // of an author's image too: `os`, `disk` or `disk_type` is written
} PlanRootVolume;

// How a node reaches its instance metadata.
typedef struct {
    const Value *hop_limit; // VALUE_INT
    const Value *v1;        // VALUE_BOOL: whether IMDSv1 is answered, too
} PlanImds;

// What a node may do in the account.
typedef struct {
    const Value *instance_profile; // may be late; NULL: made, with `policies`
    const Value *policies;         // list
} PlanNodesRole;

// Where in the network the nodes are.
typedef struct {
    const Value *zone; // may be late; NULL where not given
    const Value *ids;  // list; a late output of the network where a stack makes it; NULL: the cluster has no network
    bool is_zone_elsewhere; // the network has no such zone
} PlanSubnets;

// An instance type of a group.
typedef struct {
    const InstanceRow *row;
    const Value *name; // known string
} PlanGroupType;

typedef VEC(PlanGroupType) PlanGroupTypes;
typedef VEC(const PlanNodes *) PlanOthers;

// Nodes that are launched in one way, whoever makes them. Of the last three fields at most one is set.
struct PlanNodes {
    PlanHead head;
    const PlanCluster *cluster;
    PlanMaker maker;
    const InstanceRow *instance; // of several types the one with the least memory, and of those the first
    const Value *instance_value; // its name, for its span and origin
    PlanGroupTypes types;        // all of them, in the author's order
    PlanOthers
        with_other_types; // copies of the whole group, each with a further type as `instance`: rules ask them too
    PlanCount count;
    const PlanCapacity *capacity;
    PlanFabric fabric;
    PlanLaunch *launch; // what rules ask of interfaces, capacity and placement
    PlanGroup *group;   // what rules ask of it as of any group
    PlanPlacement placement;
    PlanAmi ami;
    const Value *key; // string, late, late optional; NULL
    PlanRootVolume root;
    PlanScripts setup;            // in the order in which they run
    const PlanValidate *validate; // NULL: nothing is checked
    const Value *scratch;         // where the instance's own disks are mounted, or the word `kubelet`; NULL: nowhere
    PlanImds imds;
    PlanNodesRole role;
    const Value *tags; // map, without those of the cluster
    PlanSubnets subnets;
    const Value *security_group; // value, may be late; NULL: the cluster's stack makes one in `network->vpc`
    const PlanBatchNodes *batch; // NULL but on AWS Batch
    const PlanSlurmNodes *slurm; // NULL but on Slurm
    const PlanEksNodes *eks;     // NULL but on EKS
};
