// A job, as the Plan has it.
#pragma once

#include "compiler/plan/model/container.h"
#include "compiler/plan/model/plan_access.h"
#include "compiler/plan/model/plan_image.h"

// What starts a job's processes. A launcher that the target does not have is refused before there is a Plan.
typedef enum {
    LAUNCHER_NONE, // the command is run as it is, on every node
    LAUNCHER_MPIRUN,
    LAUNCHER_TORCHRUN,
    LAUNCHER_SRUN,
} Launcher;

// File systems of a cluster that a container sees.
typedef VEC(const PlanStorage *) PlanMounts;

// What only a job has whose target runs it in a container: AWS Batch and EKS.
typedef struct {
    const Value *shm;  // VALUE_SIZE; NULL of a first job
    const Value *user; // or NULL
    Str object;        // "bucket/key" of S3 that it may read, of a first job; empty: none
    PlanMounts mounts;
} PlanJobContainer;

// What only a job on Slurm has.
typedef struct {
    Str partition;       // that it is submitted to
    bool is_exclusive;   // it has its nodes to itself
    bool says_vcpus;     // it takes a part of them, or its author wrote how many
    const Value *memory; // of each node, where the author wrote it: VALUE_SIZE; NULL
    PlanMounts mounts;   // where it has an image
} PlanJobSlurm;

// The object of Kubernetes that a job is, and with it the controller that runs it.
typedef enum {
#define CONTROLLER(id, ...) WORKLOAD_##id,
#include "schema/controllers.def"
    WORKLOAD_COUNT
} Workload;

// What only a job on EKS has.
typedef struct {
    Workload workload;
    const Value *workload_value; // the word
    const Value *queue;          // of Volcano: string, may be late; NULL: the default one
    const Value *memory_limit;   // where the author wrote `memory`; NULL
} PlanJobEks;

// A job that another one waits for.
typedef struct {
    Str id;
    Str cluster;            // that it is on
    bool is_elsewhere;      // that is another one
    const Subject *subject; // of its head
    Span span;              // where the other one names it
} PlanJobBefore;

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
    const Value *launcher_value;   // the word, for its origin; NULL of a first job
    const Value *tasks_per_node;   // VALUE_INT: processes that the launcher starts on each node; NULL of a first job
    const Value *command;          // list, or late; NULL: the image's
    const Value *precompile;       // VALUE_BOOL: the command runs under neuron_parallel_compile; NULL of a first job
    const Value *env;              // map: what the author wrote, and NEURON_COMPILE_CACHE_URL where `cache` is written
    const Value *vcpus;            // VALUE_INT: of each node, as the three that follow
    const Value *gpus;             // VALUE_INT; 0: none; NULL of a first job, which asks for none
    const Value *memory;           // VALUE_SIZE
    int efa_devices;               // all that the node has: /dev/infiniband/uverbs0 …
    const Value *attempts;         // VALUE_INT, or late
    const Value *node_loss;        // the word, where it starts again only after a lost node; NULL: after anything
    const Value *timeout;          // VALUE_DURATION, or NULL
    const PlanAccess *access;      // NULL of a first job
    PlanSecrets secrets;           // variables whose values are kept elsewhere
    const Value *array_size;       // VALUE_INT, or NULL: it runs once
    VEC(PlanJobBefore) depends_on; // jobs that have to succeed first
    const PlanJobContainer *container;   // NULL on Slurm, whose jobs are scripts, even with an image
    const PlanJobSlurm *slurm;           // NULL elsewhere
    const PlanJobEks *eks;               // NULL elsewhere
    const PlanContainer *needs;          // what rules ask of all that; NULL of a first job
    const struct PlanWorkload *workload; // the same, of its container as of any; NULL of a first job
};

// The job of a cluster; NULL: the Plan lacks it, or it is another cluster's.
const PlanJob *plan_job_before(const PlanCluster *cluster, const PlanJobBefore *before);

// Whether another job of the cluster waits for this one.
bool plan_job_is_awaited(const PlanJob *job);

// Whether a job has an image: the one that is written, on Slurm, where a job does without one.
bool plan_job_has_image(const PlanJob *job);

// Whether an image has to be fetched from ECR, as far as is known: a late one may be there.
bool plan_job_is_of_ecr(const PlanJob *job);

// Whether nodes of a group run containers whose image is in ECR. On AWS PCS jobs of a queue run on each of its groups.
bool plan_nodes_pull(const PlanNodes *nodes);

// What jobs that may run on nodes of a group read and write in S3, together; NULL: nothing.
const PlanAccess *plan_nodes_access(Arena *arena, const PlanNodes *nodes);

// Whether nodes of a group on ParallelCluster have a policy of dtc's: for what their jobs read and write, and for their
// verdicts.
bool plan_nodes_have_policy(Arena *arena, const PlanNodes *nodes);

// Whether a job takes several nodes, which then have to find each other.
bool plan_job_is_multi_node(const PlanJob *job);

// Whether the author gives Open MPI a parameter: `--mca pml …` in the command, or OMPI_MCA_pml in the variables. mpirun
// ends where one stands twice.
// source: open-mpi/ompi@0445052a opal/mca/base/mca_base_cmd_line.c, process_arg, read 2026-11
bool plan_job_sets_mca(const PlanJob *job, const char *parameter);

// Whether the nodes of a job on AWS Batch find each other over ssh; whether those of any job of a cluster do, a first job
// of a group's nodes among them.
bool plan_job_has_ssh_key(const PlanJob *job);
bool plan_cluster_has_ssh_key(const PlanCluster *cluster);
