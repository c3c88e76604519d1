// A file system, or a volume that nodes share, whoever wrote it and in whose words: `storage` of infra.dt, a resource of
// CloudFormation, shared storage of ParallelCluster, a class of volumes of Kubernetes. Each way in fills it, and rules
// about file systems ask it alone. Amounts have their units where the author writes them: `1200GiB`.
#pragma once

#include "compiler/plan/model/volume.h"

typedef enum {
    STORAGE_LUSTRE,
    STORAGE_EFS,
    STORAGE_OPENZFS,
    STORAGE_EBS,
    STORAGE_NFS,
    STORAGE_ONTAP, // infra.dt has none of this, and of others
    STORAGE_OTHER,
} StorageKind;

// Sets of kinds: KINDS_LUSTRE | KINDS_EFS.
enum {
    KINDS_LUSTRE = 1 << STORAGE_LUSTRE,
    KINDS_EFS = 1 << STORAGE_EFS,
    KINDS_OPENZFS = 1 << STORAGE_OPENZFS,
    KINDS_EBS = 1 << STORAGE_EBS,
    KINDS_NFS = 1 << STORAGE_NFS,
    KINDS_ONTAP = 1 << STORAGE_ONTAP,
};

// Who makes it, which decides what else it may say.
typedef enum { MADE_BY_DTC, MADE_BY_STACK, MADE_BY_PARALLELCLUSTER, MADE_BY_DRIVER } PlanFileSystemMaker;

typedef struct PlanFileSystem {
    const Subject *subject;
    PlanFileSystemMaker maker;
    bool is_of_parallelcluster; // which takes less than the service does
    StorageKind kind;
    bool is_new; // it is made; false where nobody knows
    PlanField name;
    PlanField mount;
    PlanField type;       // the word that says its kind
    PlanField capacity;   // in GiB
    PlanField deployment; // of Lustre, in any case: SCRATCH_2
    PlanField rate;       // of Lustre, in MB a second for each TiB
    PlanField medium;     // of Lustre: SSD, HDD
    PlanField import_path;
    PlanField export_path;
    PlanField version;        // of Lustre
    PlanField backups;        // in days
    PlanField throughput;     // of EFS, in MiB a second
    PlanField backup;         // that it is made of
    PlanField kms_key;        // of Lustre: that its data is encrypted with
    PlanField drive_cache;    // of Lustre, before disks that turn
    PlanField efa;            // of Lustre: whether nodes reach it by EFA
    PlanField metadata;       // of Lustre: how operations on metadata are provisioned
    PlanField tier_rate;      // of Lustre with the medium INTELLIGENT_TIERING, in MB a second
    const PlanVolume *volume; // of EBS; NULL: it is none
} PlanFileSystem;

// Disks of nodes. Where their own place is absent, ParallelCluster's is meant.
typedef struct {
    PlanField mount;
    PlanField type; // of the nodes
} PlanNodeDisks;

// A queue whose nodes stand in one subnet, as far as that is known.
typedef struct {
    const Subject *subject;
    Str name;
    Span span;
    Str subnet;    // its id; empty: not known
    int64_t place; // in the list of its network; -1: not known
} PlanQueueSubnet;

// Who mounts file systems, which decides where.
typedef enum { MOUNTS_BY_PARALLELCLUSTER, MOUNTS_BY_USER_DATA, MOUNTS_BY_PODS } PlanMounter;

// What the nodes of one cluster mount.
typedef struct PlanClusterStorage {
    const Subject *subject;
    Str name; // of what names the file systems
    PlanMounter by;
    bool has_home; // /home may be one of them
    VEC(const PlanFileSystem *) systems;
    VEC(PlanNodeDisks) disks;
    VEC(PlanQueueSubnet) queues; // beside which ParallelCluster makes file systems
} PlanClusterStorage;
