// A file system that a cluster mounts, as the Plan has it.
#pragma once

#include "compiler/plan/model/file_system.h"
#include "compiler/plan/model/plan_head.h"

// A directory of a Lustre file system that stands for a bucket, or for a prefix in one.
typedef struct {
    PlanHead head;
    const Value *uri;     // may be late
    const Value *path;    // known string, inside of the file system; NULL: its root
    const Value *imports; // list of words
    const Value *exports; // list of words
} PlanLink;

// A file system that a cluster mounts. What is NULL was not given, and has no default of ours.
struct PlanStorage {
    PlanHead head;
    StorageKind kind;
    const Value *kind_value;         // the word, for its origin
    const Value *mount;              // known string: an absolute path
    const Value *server;             // of NFS: known string, "host:/path"
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
    VEC(const PlanLink *) links;
    const PlanFileSystem *system; // as rules ask for it
};

// Where the stack of a cluster makes a file system: Lustre in one subnet, EFS with a mount target in each, one a zone.
typedef struct {
    const PlanStorage *storage;
    VEC(const Value *) subnets; // may be late
    bool has_unknown;           // there are more, and nobody knows how many
    bool may_share_zone;        // it is not known that each is in another zone
} PlanPlace;
