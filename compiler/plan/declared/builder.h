// What the files that build the Plan share.
#pragma once

#include "compiler/base/str_map.h"
#include "compiler/plan/model/plan.h"
#include "compiler/semantics/program.h"

typedef struct {
    Session *session;
    Arena *arena;
    const Program *program;
    Plan *plan;
    StrMap nodes;                           // by the bytes of a block's address; see builder_key()
    VEC(const PlanNodes *) launched;        // groups whose launches have interfaces that others share
    const Origin **row_origins[KIND_COUNT]; // of each attribute; NULL while nobody asked
    StrMap makers[2]; // repository -> PlanImage that makes it; of those that are to be made, of those that exist
} Builder;

Str builder_key(Builder *builder, const Block *block);
PlanHead builder_head(Builder *builder, const Block *block, int name_attribute); // -1: the kind has no `name`

// What a decision is about, as a line of the build calls it: `lab`, `train.gpu`, and a job as `hello on train`.
Str builder_subject(Builder *builder, const Block *block);
Str builder_subject_on(Builder *builder, const Block *block, const PlanCluster *cluster); // a file system of `cluster`
void builder_add_decision(Builder *builder, Span span, Str subject, const char *format, ...) PRINTF_LIKE(4, 5);

// ---- the parts

void build_parts(Builder *builder, const Program *program);     // before all others
void build_parts_end(Builder *builder, const Program *program); // behind them: what is planned of each
void build_exports(Builder *builder);                           // behind that

const PlanNetwork *build_network(Builder *builder, const Block *block);
void build_vpcs(Builder *builder); // of all networks and clusters on EKS, behind these and their endpoints
const PlanNodes *build_nodes(Builder *builder, const Block *block, const PlanCluster *cluster); // NULL: reported
const PlanCapacity *build_capacity(Builder *builder, const Block *block);                       // never NULL
bool build_types(Builder *builder, PlanNodes *nodes);                                           // false: reported
bool build_same_interfaces(Builder *builder, const PlanNodes *nodes);                           // false: reported
void build_others(Builder *builder, PlanNodes *nodes);                         // behind all else of the group
PlanGroup *build_group(Builder *builder, const PlanNodes *nodes);              // after its launch, capacity and zones
void build_groups_end(Builder *builder);                                       // after the jobs
PlanLaunch *build_launch(Builder *builder, const PlanNodes *nodes);            // without placement and capacity
void build_placement(Builder *builder, PlanNodes *nodes);                      // adds to the launch
void build_objects(Builder *builder, const PlanPart *part, PlanEks *eks);      // of the part, and of all in it
bool build_interfaces(Builder *builder, const Block *block, PlanNodes *nodes); // false: reported
void build_subnets(Builder *builder, PlanNodes *nodes);
void build_ami(Builder *builder, const Block *block, PlanNodes *nodes);
void build_maker(Builder *builder, PlanNodes *nodes); // sets `maker`, once capacity and EFA are known
void build_setup(Builder *builder, const Block *block, PlanNodes *nodes);
void build_block(Builder *builder, const PlanNodes *nodes); // says what the time of a Capacity Block means for it
void build_validate(Builder *builder, const Block *block, PlanNodes *nodes); // behind all that a node has
void build_scripts(Builder *builder, const Block *block, int attribute, PlanScripts *scripts);
void build_places(Builder *builder, PlanCluster *cluster); // behind its groups
const PlanFileSystem *build_file_system(Builder *builder, const PlanStorage *storage, const PlanCluster *cluster);
const PlanClusterStorage *build_mounts(Builder *builder,
                                       const PlanCluster *cluster); // after its file systems and groups
const PlanStorage *build_storage(Builder *builder, const Block *block, const PlanCluster *cluster);
void build_settings(Builder *builder, const PlanCluster *cluster, PlanSlurm *slurm);
void build_slurm(Builder *builder, const Block *block, PlanCluster *cluster); // head, slurm, monitoring of a cluster

void build_queues(Builder *builder, const Block *block, PlanCluster *cluster); // after its groups
void build_pcs(Builder *builder, const Block *block, PlanCluster *cluster);    // what only a cluster on AWS PCS has
void build_eks(Builder *builder, const Block *block, PlanCluster *cluster);    // what only a cluster on EKS has
void build_eks_start(Builder *builder, const PlanCluster *cluster); // says where a new cluster begins without nodes

// Item `index` of a list that may be late.
const Value *build_item(Builder *builder, const Value *list, uint32_t index, const Origin *origin);

// The row of an instance type. NULL if the value is NULL, or if there is no such type; the latter is reported.
const InstanceRow *build_instance(Builder *builder, const Value *value);

// False, reported, where a fact is missing: one of the schema_…_gap() of the row.
bool build_has_facts(Builder *builder, Span span, const InstanceRow *row, const char *gap);

// Prints which facts of a type are unknown, if the type is used nevertheless.
void build_decide_gap(Builder *builder, const Block *block, const InstanceRow *row);
void build_image(Builder *builder, const Block *block);
void build_bucket(Builder *builder, const Block *block);
void build_buckets_end(Builder *builder); // their regions, behind all clusters
void build_images_end(Builder *builder);  // when all clusters and jobs are built: who uses them, and their tags
const PlanRecipe *build_recipe(Builder *builder, const PlanImage *image); // NULL: nothing says how it is built
void build_recipe_end(Builder *builder, const PlanImage *image);          // likewise: who runs it
void build_container(Builder *builder, PlanJob *job);                     // sets `needs`
// Says which security group the containers of a multi-node job on AWS Batch have. `whose`: "its", where the subject is
// the job.
void build_decide_default_group(Builder *builder, const PlanJob *job, const char *whose);

// The policies that the author gives a role: a list, empty where there are none. Items are known, or late ARNs.
const Value *build_policies(Builder *builder, const Block *block, int attribute);
const PlanAccess *build_access(Builder *builder, const Block *job, const PlanCluster *cluster);
void build_secrets(Builder *builder, const Block *block, PlanJob *job);                     // sets `secrets`
const PlanJob *build_job(Builder *builder, const Block *block, const PlanCluster *cluster); // NULL: reported
void build_quotas(Builder *builder);    // of all groups, which are built
void build_endpoints(Builder *builder); // `endpoints = all`, when all clusters and jobs are built
