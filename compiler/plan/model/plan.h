// The Plan: what is to be built. It depends neither on a target's format nor on the source text. Every value is
// checked, every default is filled in, and each carries its origin. Emitters and rules read the Plan and change
// nothing. All of it is in the session's arena.
//
// Begin with struct Plan, at the end. A `const Value *` is never NULL unless its comment says so. A value that "may be
// late" is known only when the stack is deployed. compiler/semantics/value.h has the units of sizes, rates and durations.
//
// Beside this file:
//   part.h       what all blocks have in common: subject, outputs, resources, patches
//   field.h      a value as rules ask for it: was it written, where, and what is it
//   launch.h     what an instance is launched with, of a declared group and of a raw one
//   container.h  compute environments of AWS Batch and containers, declared and raw
//   nics.h       network interfaces, and the rule that places them
//   facts.h      what deployed stacks say of themselves
// The other headers answer questions about the Plan, such as group.h, maker.h, region.h and network_ids.h.
#pragma once

#include "compiler/plan/model/facts.h"
#include "compiler/base/str_map.h"
#include "compiler/plan/model/container.h"
#include "compiler/plan/model/nics.h"
#include "compiler/plan/model/part.h"
#include "compiler/semantics/extra.h"
#include "compiler/semantics/param.h"
#include "compiler/semantics/subject.h"
#include "schema/objects.h"

typedef struct PlanNetwork PlanNetwork;
typedef struct PlanCluster PlanCluster;
typedef struct PlanNodes PlanNodes;
typedef struct PlanImage PlanImage;
typedef struct PlanJob PlanJob;
typedef struct PlanStorage PlanStorage;

// What every block that makes a file has.
typedef struct {
    const Subject *subject; // what findings are about
    const PlanPart *part;
    const Block *block;   // of the builder alone
    Str id;               // the block's name: file names and logical ids are made from it
    const Value *name;    // what it is called where it is deployed; a known string
    Str doc;              // its `##` lines; may be empty
    const Origin *origin; // of the block's being there: its name
} PlanHead;

typedef enum {
    NETWORK_MADE,     // this build makes the VPC
    NETWORK_GIVEN,    // ids are given
    NETWORK_IMPORTED, // another stack's exports
} NetworkMode;

typedef enum { NAT_NONE, NAT_ONE, NAT_PER_ZONE } NatMode;

// What a network has that this build makes.
typedef struct {
    const Value *cidr;   // list of known strings; first block public, the others private
    const Value *public; // VALUE_BOOL: whether there are public subnets
    NatMode nat;
    const Value *nat_value; // the word, for its origin
    const Value *endpoints; // list of words
    const Value *flow_logs; // VALUE_DURATION, or VALUE_NULL
    const Value *lustre;    // VALUE_BOOL
    const Value *export;    // VALUE_BOOL
    const Value *tags;      // VALUE_MAP; has Name
} PlanNewNetwork;

// What a network has whose ids are given; NULL where one is not. Each may be late.
typedef struct {
    const Value *vpc;
    const Value *public;  // ids of subnets
    const Value *private; // ids of subnets
    const Value *security_group;
} PlanGivenNetwork;

// The network that clusters are in. Of the last three fields, the mode says which is set; the others are all NULL.
struct PlanNetwork {
    PlanHead head;
    NetworkMode mode;
    bool is_used_module;    // stands in a used file: not built, its stack is there already
    bool serves_eks;        // a cluster on EKS of this build is in it
    const Value *region;    // known string, or NULL: the one it is deployed in
    const Value *zones;     // where it is made here: a list, whose items may be late; else as written, or NULL
    PlanNewNetwork made;    // NETWORK_MADE, but not of a used file: all of it is set
    PlanGivenNetwork given; // NETWORK_GIVEN
    const Value *stack;     // NETWORK_IMPORTED: name of the other stack; may be late
};

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
} PlanScript;

typedef VEC(PlanScript) PlanScripts;

typedef enum { ON_FAIL_QUARANTINE, ON_FAIL_TERMINATE, ON_FAIL_WARN } OnFail;

// What the nodes of a group check of themselves before they take work.
typedef struct {
    const PlanPart *part;    // `validate`; NULL where it is on without being written
    const Origin *origin;    // of its being there
    const Value *collective; // word: all_reduce, none
    const Value *image;      // of the container in which nodes measure each other; may be late; NULL: none
    const Value *min_busbw;  // VALUE_RATE; NULL: a part of what others measured, or no floor
    OnFail on_fail;          // what becomes of a node that fails
    bool on_fail_written;    // else a fault that is not the hardware's only warns
    const Value *keep;       // VALUE_DURATION, how long a node that is to be ended is kept for a person
    bool is_script;          // the core is the one in POSIX sh
    bool is_fetched;         // on EKS: nodes fetch it from the cluster's `artifacts`
    const Value *files;      // list of known strings
    const Value *modules;    // list of known strings; NULL: those of the type and the storage
    const Value *limit;      // VALUE_DURATION
    const char *gap;         // why the target cannot carry it; NULL: it can
    const PlanJob *job;      // the first job's, on Batch; NULL elsewhere, and where there is none
    int first_job;           // nodes that measure each other in a job of their own; 0: there is no such job
    Str record;              // what a node must find true: stdlib/node/contract.h has its form
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
    PlanEnvironment *environment;     // what rules ask of its compute environment
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
} PlanRole;

// Where in the network the nodes are.
typedef struct {
    const Value *zone; // may be late; NULL where not given
    const Value *ids;  // list; a late output of the network where a stack makes it; NULL: the cluster has no network
} PlanSubnets;

// Nodes of one instance type, whoever makes them. Of the last three fields at most one is set.
struct PlanNodes {
    PlanHead head;
    const PlanCluster *cluster;
    PlanMaker maker;
    const InstanceRow *instance;
    const Value *instance_value; // its name, for its span and origin
    PlanCount count;
    const PlanCapacity *capacity;
    PlanFabric fabric;
    PlanLaunch *launch; // what rules ask of interfaces, capacity and placement
    PlanPlacement placement;
    PlanAmi ami;
    const Value *key; // string, late, late optional; NULL
    PlanRootVolume root;
    PlanScripts setup;            // in the order in which they run
    const PlanValidate *validate; // NULL: nothing is checked
    const Value *scratch;         // where the instance's own disks are mounted, or the word `kubelet`; NULL: nowhere
    PlanImds imds;
    PlanRole role;
    const Value *tags; // map, without those of the cluster
    PlanSubnets subnets;
    const Value *security_group; // value, may be late; NULL: the cluster's stack makes one in `network->vpc`
    const PlanBatchNodes *batch; // NULL but on AWS Batch
    const PlanSlurmNodes *slurm; // NULL but on Slurm
    const PlanEksNodes *eks;     // NULL but on EKS
};

typedef enum { STORAGE_LUSTRE, STORAGE_EFS, STORAGE_OPENZFS, STORAGE_EBS, STORAGE_NFS } StorageKind;

// A file system that a cluster mounts. What is NULL was not given, and has no default of ours.
struct PlanStorage {
    PlanHead head;
    StorageKind kind;
    const Value *kind_value;         // the word, for its origin
    const Value *mount;              // known string: an absolute path
    const Value *existing;           // id of one that is there already; NULL: it is made
    const Value *size;               // VALUE_SIZE
    const Value *throughput_per_tib; // VALUE_RATE
    const Value *throughput;         // VALUE_RATE
    const Value *iops;
    const Value *volume;      // word
    const Value *deployment;  // word, of Lustre
    const Value *compression; // word
    const Value *lustre_version;
    const Value *backups; // VALUE_DURATION
    const Value *backup_at;
    const Value *maintenance;
    const Value *mount_options; // list
    const Value *mount_name;    // known string
    const Value *subnet;        // may be late
    const Value *keep;          // VALUE_BOOL
    const Value *tags;          // map
};

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
} PlanSlurm;

// What only a cluster on AWS Batch has.
typedef struct {
    const Value *priority;
    const Value *service_role; // NULL: the service-linked role
} PlanBatch;

typedef enum { PCS_SMALL, PCS_MEDIUM, PCS_LARGE } PcsSize;

// What only a cluster on AWS PCS has.
typedef struct {
    const Value *version;            // of Slurm: known string; NULL: missing, and reported
    const Value *scaledown_idletime; // VALUE_DURATION; NULL: the service's default
    PcsSize size;                    // of the controller
    const Origin *size_origin;
    const Value *subnet; // of the controller's interface; may be late; NULL: nothing is known of subnets, and reported
} PlanPcs;

// A change to an add-on.
typedef struct {
    PlanHead head;        // `id` is which: "efa"
    const Value *version; // known string; NULL: as dtc or eksctl has it
    const Value *off;     // VALUE_BOOL
} PlanAddon;

// A specification of pods in an object: of a Pod, or of what makes pods from a template.
typedef struct {
    const Value *spec; // VALUE_MAP
    Span span;         // of the key that it stands behind
} PlanPod;

// An object of Kubernetes that the author wrote.
typedef struct {
    const Subject *subject; // what findings are about
    const Resource *resource;
    const ObjectKindRow *row; // NULL: the rows have no such kind
    const Value *fields;      // VALUE_MAP: all that is written, at the top
    bool is_changed;          // by a patch: nobody knows what it ends up as
    VEC(PlanPod) pods;        // of every template in it
} PlanObject;

// What only a cluster on EKS has.
typedef struct {
    const Value *version;                      // known string, such as "1.34"; NULL: missing, and reported
    const Value *zones;                        // without a network: eksctl makes a VPC in these; NULL else
    const Value *existing;                     // name of a running cluster; NULL: it is made
    const Value *control_plane_security_group; // with `existing`; may be late; NULL else
    const Value *oidc;                         // VALUE_BOOL
    VEC(const PlanAddon *) addons;
    VEC(const PlanObject *) objects;
} PlanEks;

// A queue that takes nodes of several groups, the first group's first. What is NULL was not given.
typedef struct {
    PlanHead head;
    VEC(const PlanNodes *) nodes;
    const Value *priority;          // of a queue on AWS Batch; may be late
    const Value *shares;            // map of VALUE_INT by share identifier; empty: no fair share
    const Value *share_decay;       // VALUE_DURATION
    const Value *share_reservation; // VALUE_INT, percent
} PlanQueue;

// What runs the nodes and the jobs: on one target, in one network.
struct PlanCluster {
    PlanHead head;
    TargetSet target;
    const PlanNetwork *network; // NULL: eksctl makes a VPC, or it is missing, and reported
    const Value *tags;          // map
    const Value *os;            // word
    const Value *ami;           // of groups without one: ami_id, ssm(path), late; NULL: the service's image
    VEC(const PlanStorage *) storages;
    const Value *artifacts; // known string, or NULL: where scripts of the project go
    const PlanBatch *batch; // NULL but on batch
    const PlanSlurm *slurm; // NULL but on parallelcluster
    const PlanEks *eks;     // NULL but on eks
    const PlanPcs *pcs;     // NULL but on pcs
    Str region;             // that it is in; empty: the deployment decides
    VEC(const PlanNodes *) nodes;
    VEC(const PlanQueue *) queues; // those that the author writes; other groups have their own
    bool lacks_parts;              // a group or a job that has a mistake is left out
    VEC(const PlanImage *) images; // whose repository this cluster's stack makes
    VEC(const PlanJob *) jobs;
};

// A container image that jobs run, and the repository that it is in.
struct PlanImage {
    PlanHead head;
    const Value *repository;       // known string
    const Value *tag;              // known string
    bool is_existing;              // the repository is there already
    const struct PlanImage *maker; // the first image of that repository, whose block makes it; itself, mostly
    const PlanCluster *owner;      // the cluster whose stack makes the repository; NULL: a stack of its own
    const PlanCluster *user;       // the first cluster with a job from the repository, where this is its maker
    bool has_users;                // more than that one
    const PlanCluster *elsewhere;  // one of them in another region than the first; NULL: none is known
    const Value *is_emptied;       // the repository and its images go with the stack: known bool; NULL: they stay
    Str region;                    // of the repository's stack; empty: the deployment decides
};

// What starts a job's processes. Launchers that no target of this release has are refused before there is a Plan.
typedef enum {
    LAUNCHER_NONE, // the command is run as it is, on every node
    LAUNCHER_MPIRUN,
} Launcher;

// What a job has where it runs in a container, as on AWS Batch.
typedef struct {
    const Value *vcpus;    // VALUE_INT, or late
    const Value *gpus;     // VALUE_INT; 0: none; NULL of a first job, which asks for none
    const Value *shm;      // VALUE_SIZE; NULL of a first job
    const Value *user;     // or NULL
    const Value *policies; // list, of the role that the container has; NULL of a first job
    int efa_devices;       // /dev/infiniband/uverbs0 … in the container
    Str object;            // "bucket/key" of S3 that it may read, of a first job; empty: none
} PlanJobContainer;

// What a user submits: one command on some nodes of a group. A first job is one that dtc adds for `validate`, in which
// the nodes of a group measure each other. It has no launcher.
struct PlanJob {
    PlanHead head;
    const PlanCluster *cluster;
    const PlanNodes *group;
    const PlanImage *image; // of this build; NULL: `image_uri` has it
    const Value *image_uri; // string, may be late; NULL: `image` has it
    const Value *nodes;     // VALUE_INT, known
    Launcher launcher;
    const Value *launcher_value; // the word, for its origin; NULL of a first job
    const Value *tasks_per_node; // VALUE_INT: processes that the launcher starts on each node; NULL of a first job
    const Value *command;        // list, or late; NULL: the image's
    const Value *env;            // map: what the author wrote
    const Value *memory;         // VALUE_SIZE
    const Value *attempts;       // VALUE_INT, or late
    const Value *timeout;        // VALUE_DURATION, or NULL
    const PlanJobContainer *container; // NULL on a target whose jobs run on the nodes themselves
    const PlanContainer *needs;        // what rules ask of that; NULL of a first job
};

// Something that was decided and not written by the author: printed as one line each.
typedef struct {
    Span span;   // what it is about: a test holds that no attribute is left out in silence
    Str subject; // as a line of the build calls it: "train.gpu"
    Str text;
    Str file; // that its command reads, without which there is nothing to say yet; empty: none
} PlanDecision;

typedef VEC(PlanDecision) PlanDecisions;

// vCPUs of one quota that the build may use in a region, all its groups together.
typedef struct {
    const QuotaRow *row;
    const RegionRow *region; // NULL: the one it is deployed in
    int64_t vcpus;
} PlanQuota;

typedef VEC(PlanQuota) PlanQuotas;

// All that is to be built.
typedef struct {
    uint32_t main_source;              // the file that was asked for; 0: none
    Params params;                     // in order of declaration, the main file's first
    const Facts *facts;                // of stacks that are deployed; NULL without
    VEC(const PlanNetwork *) networks; // those of used files too
    VEC(const PlanCluster *) clusters;
    bool lacks_clusters; // one that has a mistake is left out
    VEC(const PlanImage *) images;
    VEC(const PlanRaw *) raw; // one for each stack
    PlanParts parts;          // all that is declared, each before those in it
    VEC(const PlanDecision *) decisions;
    PlanQuotas quotas;  // in the order of the groups
    StrMap networks_of; // by the bytes of a block's address; see plan_network() and its like
    StrMap clusters_of;
    StrMap images_of;
    StrMap parts_of;
} Plan;

// The part that a block is.
const PlanPart *plan_part(const Plan *plan, const Block *block);

// What is planned of a block; NULL where that is no network, no cluster, no image.
const PlanNetwork *plan_network(const Plan *plan, const Block *block);
const PlanCluster *plan_cluster(const Plan *plan, const Block *block);
const PlanImage *plan_image(const Plan *plan, const Block *block);

// Adds to a plan that is being built.
void plan_add_network(Arena *arena, Plan *plan, PlanNetwork *network);
void plan_add_cluster(Arena *arena, Plan *plan, PlanCluster *cluster);
void plan_add_image(Arena *arena, Plan *plan, PlanImage *image);
void plan_add_part(Arena *arena, Plan *plan, const Block *block, PlanPart *part);

// What was added so, for whoever builds the Plan and completes it.
PlanNetwork *plan_own_network(Plan *plan, const Block *block);
PlanCluster *plan_own_cluster(Plan *plan, const Block *block);
PlanImage *plan_own_image(Plan *plan, const Block *block);
PlanPart *plan_own_part(Plan *plan, const Block *block);
