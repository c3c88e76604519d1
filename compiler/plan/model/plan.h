// The Plan: what is to be built. It depends neither on a target's format nor on the source text. Every value is
// checked, every default is filled in, and each carries its origin. Emitters and rules read the Plan and change
// nothing. All of it is in the session's arena.
//
// Begin with struct Plan, at the end. A `const Value *` is never NULL unless its comment says so. A value that "may be
// late" is known only when the stack is deployed. compiler/semantics/value.h has the units of sizes, rates and durations.
//
// Beside this file:
//   plan_*.h     what clusters are made of: plan_network.h, plan_nodes.h, plan_image.h, plan_job.h and others
//   part.h       what all blocks have in common: subject, outputs, resources, patches
//   field.h      a value as rules ask for it: was it written, where, and what is it
//   launch.h     what an instance is launched with, of a declared group and of a raw one
//   plan_group.h  a group of nodes, whoever wrote it; managed_group.h and batch_group.h have what a service alone says
//   container.h  containers of AWS Batch, declared and raw
//   configuration.h  a cluster configuration of ParallelCluster that somebody else wrote
//   plan_resource.h  a resource of CloudFormation, declared raw or in a template
//   plan_object.h  objects of Kubernetes, and the pods that they make
//   plan_file.h  the text of a file that somebody else wrote
//   plan_dockerfile.h  a Dockerfile, its stages and what they bring in
//   nics.h       network interfaces, and the rule that places them
//   slurm_script.h  a batch script of Slurm that somebody else wrote
//   facts.h      what deployed stacks say of themselves
// The other headers answer questions about the Plan, such as declared_group.h, maker.h, region.h and network_ids.h.
#pragma once

#include "compiler/base/str_map.h"
#include "compiler/plan/model/configuration.h"
#include "compiler/plan/model/pcs.h"
#include "compiler/plan/model/plan_bucket.h"
#include "compiler/plan/model/plan_dockerfile.h"
#include "compiler/plan/model/plan_eks.h"
#include "compiler/plan/model/facts.h"
#include "compiler/plan/model/plan_file.h"
#include "compiler/plan/model/plan_job.h"
#include "compiler/plan/model/plan_network.h"
#include "compiler/plan/model/plan_nodes.h"
#include "compiler/plan/model/plan_slurm.h"
#include "compiler/plan/model/plan_storage.h"
#include "compiler/semantics/extra.h"
#include "compiler/semantics/param.h"

// What only a cluster on AWS Batch has.
typedef struct {
    const Value *priority;
    const Value *service_role; // NULL: the service-linked role
} PlanBatch;

// What only a cluster on AWS PCS has.
typedef struct {
    const Value *version;            // of Slurm: known string; NULL: missing, and reported
    const Value *scaledown_idletime; // VALUE_DURATION; NULL: the service's default
    const PlanPcsController *controller;
    const Origin *size_origin;
    const Value *subnet; // of the controller's interface; may be late; NULL: nothing is known of subnets, and reported
} PlanPcs;

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
    const PlanClusterStorage *mounts;
    VEC(const PlanPlace *) places;         // on batch: of the storages that its stack makes
    const Value *artifacts;                // known string, or NULL: where scripts of the project go
    const PlanBatch *batch;                // NULL but on batch
    const PlanSlurm *slurm;                // NULL but on parallelcluster
    const PlanEks *eks;                    // NULL but on eks
    const PlanControlPlane *control_plane; // likewise; of one that is there, what the cluster says of it
    const PlanPcs *pcs;                    // NULL but on pcs
    Str region;                            // that it is in; empty: the deployment decides
    VEC(const PlanNodes *) nodes;
    VEC(const PlanQueue *) queues; // those that the author writes; other groups have their own
    bool lacks_parts;              // a group or a job that has a mistake is left out
    VEC(const PlanImage *) images; // whose repository this cluster's stack makes
    VEC(const PlanJob *) jobs;
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

// What scripts put other texts in the place of.
typedef struct {
    bool has_envsubst;  // each `${NAME}`
    bool has_variables; // the file itself has two of them or more: something fills them in, whether it is beside or not
    VEC(Str) replaced;  // what stands behind `s/` of sed, with some of the text behind it; sorted
} PlanFillers;

// A script that srun starts, by the name of its file.
typedef struct {
    Str name;
    const struct PlanSlurmScript *script; // NULL: nobody can read it
} PlanStarted;

// All that is to be built.
typedef struct Plan {
    uint32_t main_source;              // the file that was asked for; 0: none
    Params params;                     // in order of declaration, the main file's first
    const Facts *facts;                // of stacks that are deployed; NULL without
    VEC(const PlanNetwork *) networks; // those of used files too
    VEC(const PlanCluster *) clusters;
    bool lacks_clusters; // one that has a mistake is left out
    VEC(const PlanImage *) images;
    VEC(const PlanBucket *) buckets;      // not those of used files
    VEC(const PlanRaw *) raw;             // one for each stack
    PlanObjects objects;                  // of manifests that somebody else wrote; those of clusters are in PlanEks
    bool are_bases;                       // its objects are those of Kustomize: another file may add what is missing
    VEC(Str) filled_in;                   // names in `$(NAME)` that Kustomize knows, which fills them in before
    bool is_to_render;                    // its file is called as one that something fills in: `job.yaml.template`
    bool is_one_of_versions;              // `hook.v1beta1.yaml`, beside which stands `hook.v1.yaml`
    bool is_nested;                       // a template beside has its file as a nested stack
    bool is_opened;                       // a program beside its file reads it, and may write other words into it
    PlanFillers fillers;                  // scripts beside its file, that may fill it in before
    const PlanFile *file;                 // that somebody else wrote; NULL where there is none
    const PlanDockerfile *dockerfile;     // likewise
    const struct PlanSlurmScript *script; // a batch script of Slurm; NULL: there is none
    VEC(PlanStarted) started;             // scripts beside it that its steps start
    const PlanTemplate *names;            // of the template that the plan is one way to deploy; NULL: it is of none
    PlanParts parts;                      // all that is declared, each before those in it
    VEC(const PlanDecision *) decisions;
    PlanQuotas quotas;  // in the order of the groups
    StrMap networks_of; // by the bytes of a block's address; see plan_network() and its like
    StrMap clusters_of;
    StrMap images_of;
    StrMap buckets_of;
    StrMap parts_of;
} Plan;

// The part that a block is.
const PlanPart *plan_part(const Plan *plan, const Block *block);

// What is planned of a block; NULL where that is no network, no cluster, no image, no bucket.
const PlanNetwork *plan_network(const Plan *plan, const Block *block);
const PlanCluster *plan_cluster(const Plan *plan, const Block *block);
const PlanImage *plan_image(const Plan *plan, const Block *block);
const PlanBucket *plan_bucket(const Plan *plan, const Block *block);

// The bucket that the build makes under the name that an "s3://bucket/key" begins with; NULL where there is none, or its
// name is not known.
const PlanBucket *plan_bucket_of(const Plan *plan, Str uri);

// The same of a URI that may be late. It may also be one whose name the deployment works out.
const PlanBucket *plan_bucket_in(const Plan *plan, const Value *uri);

// Whether a cluster, a group, a job or an object is left out for a mistake: nobody knows what it would use or allow.
bool plan_lacks_parts(const Plan *plan);

// Adds to a plan that is being built.
void plan_add_network(Arena *arena, Plan *plan, PlanNetwork *network);
void plan_add_cluster(Arena *arena, Plan *plan, PlanCluster *cluster);
void plan_add_image(Arena *arena, Plan *plan, PlanImage *image);
void plan_add_bucket(Arena *arena, Plan *plan, PlanBucket *bucket);
void plan_add_part(Arena *arena, Plan *plan, const Block *block, PlanPart *part);

// What was added so, for whoever builds the Plan and completes it.
PlanNetwork *plan_own_network(Plan *plan, const Block *block);
PlanCluster *plan_own_cluster(Plan *plan, const Block *block);
PlanImage *plan_own_image(Plan *plan, const Block *block);
PlanBucket *plan_own_bucket(Plan *plan, const Block *block);
PlanPart *plan_own_part(Plan *plan, const Block *block);

// The region of all clusters that have one; empty where there are two.
Str plan_only_region(const Plan *plan);
