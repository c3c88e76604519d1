// Jobs. By default a job's needs follow from the type of its group: all of its vCPUs and accelerators, its
// memory less what the system keeps, and every EFA device. Of a job that asks for a part of the GPUs the rest is the
// same part, so that as many fit a node.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/compute_domain.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/node_room.h"
#include "compiler/plan/model/queue.h"

static int64_t max_of(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t min_of(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static const Value *mib_value(Builder *builder, const Block *block, int attribute, const Origin *reason, int64_t mib) {
    const Origin *origin = origin_join(builder->arena, plan_schema_origin(builder, block, attribute), reason);
    Value *value = value_new(builder->arena, VALUE_SIZE, block->subject.name_span, origin);
    value->integer = mib * 1024 * 1024;
    return value;
}

// An int of the type where the author gives none: its origin is what chose the type, and the type's row.
static const Value *of_type(Builder *builder, const PlanJob *job, int attribute, int64_t integer) {
    const Value *value = read_known(builder, job->head.block, attribute);
    if (value != NULL && value->kind == VALUE_INT) {
        return value;
    }
    const Origin *origin = origin_join(builder->arena, job->group->instance_value->origin,
                                       origin_schema(builder->arena, job->group->instance->name));
    origin = value == NULL ? origin : origin_join(builder->arena, value->origin, origin);
    return value_int(builder->arena, job->head.subject->name_span, origin, integer);
}

// "`a`, `b` are groups of `train`"; the first few where there are many.
static Str groups_of(Builder *builder, const PlanCluster *cluster) {
    enum { SHOWN_MAX = 7 };
    StrBuf text = { .arena = builder->arena };
    uint32_t count = 0;
    for (uint32_t i = 0; i < cluster->head.block->children.count; i++) {
        const Block *child = cluster->head.block->children.items[i];
        if (child->kind == &KIND_ROWS[KIND_NODES] && ++count <= SHOWN_MAX) {
            strbuf_add_format(&text, "%s`%.*s`", count == 1 ? "" : ", ", STR_ARG(child->name));
        }
    }
    const char *rest = count > SHOWN_MAX ? ", … are" : count == 1 ? " is the group" : " are";
    strbuf_add_format(&text, "%s%s of `%.*s`", rest, count == 1 ? "" : " groups", STR_ARG(cluster->head.id));
    return strbuf_str(&text);
}

static bool has_group(const PlanCluster *cluster, Str name) {
    bool has = false;
    for (uint32_t i = 0; i < cluster->head.block->children.count && !has; i++) {
        const Block *child = cluster->head.block->children.items[i];
        has = child->kind == &KIND_ROWS[KIND_NODES] && str_equal(child->name, name);
    }
    return has;
}

// A group of another cluster, or of none. Through `like` a job has the group of the other job's cluster.
static void report_elsewhere(Builder *builder, const Block *job, const Value *group, const PlanCluster *cluster) {
    const Block *outer = group->block->parent;
    const Str name = group->block->name;
    if (outer == NULL || !has_group(cluster, name)) {
        if (cluster->head.block->lacked_groups > 0) {
            return; // the group of that name may be one with a mistake, which was reported
        }
        Diag *diag =
            report(builder->session, group->span, DIAG(group_elsewhere), STR_ARG(name), STR_ARG(cluster->head.id));
        diag_help(builder->session, diag, "%.*s", STR_ARG(groups_of(builder, cluster)));
        return;
    }
    const Str whole = str_format(builder->arena, "%.*s.%.*s", STR_ARG(outer->name), STR_ARG(name));
    Diag *diag =
        report(builder->session, group->span, DIAG(group_elsewhere), STR_ARG(whole), STR_ARG(cluster->head.id));
    diag_label(builder->session, diag, job->subject.name_span, "`%.*s` is on `%.*s`", STR_ARG(job->name),
               STR_ARG(cluster->head.id));
    diag_help(builder->session, diag, "write `group = %.*s` in `%.*s`, where it is the one of `%.*s`", STR_ARG(name),
              STR_ARG(job->name), STR_ARG(cluster->head.id));
}

static const PlanNodes *find_group(Builder *builder, const Block *block, const PlanCluster *cluster) {
    const Value *group = block_value(block, JOB_GROUP);
    if (group != NULL) {
        const PlanNodes *nodes = str_map_get(&builder->nodes, builder_key(builder, group->block));
        if (nodes != NULL && nodes->cluster == cluster) {
            return nodes;
        }
        if (nodes != NULL || group->block->parent == NULL) {
            report_elsewhere(builder, block, group, cluster);
        }
        return NULL;
    }
    const uint32_t lacked = cluster->head.block->lacked_groups;
    uint32_t written = lacked;
    for (uint32_t i = 0; i < cluster->head.block->children.count; i++) {
        written += cluster->head.block->children.items[i]->kind == &KIND_ROWS[KIND_NODES];
    }
    if (written <= 1) { // a cluster without any was reported
        return cluster->nodes.count == 1 ? cluster->nodes.items[0] : NULL;
    }
    Diag *diag = report(builder->session, block->subject.name_span, DIAG(group_missing), STR_ARG(block->name),
                        STR_ARG(cluster->head.id), written);
    if (lacked == 0) {
        diag_help(builder->session, diag, "write `group = NAME`: %.*s", STR_ARG(groups_of(builder, cluster)));
    } else { // the list is not whole
        diag_help(builder->session, diag, "write `group = NAME`");
    }
    return NULL;
}

// The part of a node that a job asks for if it says only one number: `part` of `whole` GPUs, or of vCPUs if the type
// has no accelerators. Neuron devices are all mapped into each container, so there is no part of such a node.
typedef struct {
    int64_t part;
    int64_t whole;
    const char *what;
} Share;

static Share share_of(Builder *builder, const PlanJob *job) {
    const InstanceRow *row = job->group->instance;
    const Value *gpus = read_known(builder, job->head.block, JOB_GPUS);
    const Value *vcpus = read_known(builder, job->head.block, JOB_VCPUS);
    const bool has_gpus = row->accelerator == ACCELERATOR_NVIDIA;
    if (has_gpus && gpus != NULL && gpus->kind == VALUE_INT && gpus->integer > 0) {
        return (Share){ .part = min_of(gpus->integer, row->accelerators), .whole = row->accelerators, .what = "GPU" };
    }
    const bool has_none = has_gpus && gpus != NULL && gpus->kind == VALUE_INT;
    const bool needs_none = row->accelerator == ACCELERATOR_NONE || has_none;
    if (needs_none && vcpus != NULL && vcpus->kind == VALUE_INT && vcpus->integer > 0) {
        return (Share){ .part = min_of(vcpus->integer, row->vcpus), .whole = row->vcpus, .what = "vCPU" };
    }
    return (Share){ .part = 1, .whole = 1 };
}

// As many jobs of this kind as a node has room for.
static int64_t jobs_of_node(const PlanJob *job, Share share) {
    const int64_t by_memory =
        node_memory_to_ask_mib(job->group->instance) * 1024 * 1024 / max_of(job->memory->integer, 1);
    const int64_t by_vcpus = job->group->instance->vcpus / max_of(job->vcpus->integer, 1);
    return max_of(min_of(share.whole / max_of(share.part, 1), min_of(by_memory, by_vcpus)), 1);
}

// What the job leaves of its nodes, and whether others can have it. Batch runs one container of a job of several nodes
// on an instance, and nothing beside it (AWS Batch User Guide, Multi-node parallel jobs, 2026-11).
static void decide_share(Builder *builder, const PlanJob *job, Share share) {
    const Block *block = job->head.block;
    const InstanceRow *row = job->group->instance;
    const bool is_alone = plan_job_is_multi_node(job);
    const bool is_said = block_value(block, JOB_MEMORY) != NULL && block_value(block, JOB_VCPUS) != NULL;
    const bool has_idle_gpus = row->accelerator == ACCELERATOR_NVIDIA && job->gpus->integer == 0 && share.whole == 1;
    if (has_idle_gpus && !is_said) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "no GPU, and all vCPUs and memory of %s: its %d GPU%s idle meanwhile", row->name,
                             row->accelerators, row->accelerators == 1 ? " is" : "s are");
    }
    if (share.part >= share.whole || (is_said && !is_alone)) {
        return;
    }
    const Str subject = builder_subject(builder, block);
    const Str text = str_format(builder->arena, "%" PRId64 " of %" PRId64 " %ss of %s", share.part, share.whole,
                                share.what, row->name);
    if (is_alone) {
        builder_add_decision(builder, block->subject.name_span, subject,
                             "%.*s; the rest is idle, as a job of several nodes has them to itself", STR_ARG(text));
        return;
    }
    builder_add_decision(builder, block->subject.name_span, subject,
                         "%.*s, so %" PRId64 " vCPU%s and %" PRId64 "MiB: a node has room for %" PRId64, STR_ARG(text),
                         job->vcpus->integer, job->vcpus->integer == 1 ? "" : "s", job->memory->integer / (1024 * 1024),
                         jobs_of_node(job, share));
}

static bool has_container(const PlanCluster *cluster) {
    return cluster->target == TARGET_BATCH || cluster->target == TARGET_EKS;
}

static const PlanStorage *storage_of(const PlanCluster *cluster, const Block *block) {
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        if (cluster->storages.items[i]->head.block == block) {
            return cluster->storages.items[i];
        }
    }
    return NULL;
}

// By default all file systems of the cluster.
static void read_mounts(Builder *builder, const Block *block, const PlanCluster *cluster, PlanMounts *out) {
    const Value *mounts = block_value(block, JOB_MOUNTS);
    if (mounts == NULL || mounts->kind != VALUE_LIST) {
        for (uint32_t i = 0; i < cluster->storages.count; i++) {
            vec_push(builder->arena, out, cluster->storages.items[i]);
        }
        return;
    }
    for (uint32_t i = 0; i < mounts->list.count; i++) {
        const Value *item = mounts->list.items[i];
        const PlanStorage *storage = item->kind == VALUE_BLOCK ? storage_of(cluster, item->block) : NULL;
        if (storage != NULL) {
            vec_push(builder->arena, out, storage);
        } else if (item->kind == VALUE_BLOCK && !cluster->lacks_parts) {
            Diag *diag = report(builder->session, item->span, DIAG(mount_elsewhere), STR_ARG(item->block->name),
                                STR_ARG(cluster->head.id));
            diag_label(builder->session, diag, block->subject.name_span, "runs on `%.*s`", STR_ARG(cluster->head.id));
            diag_help(builder->session, diag, "write it into `storage` of `%.*s`, too", STR_ARG(cluster->head.id));
        }
    }
}

static const PlanJobContainer *read_container(Builder *builder, const Block *block, const PlanJob *job) {
    const Value *shm = read_known(builder, block, JOB_SHM);
    const int64_t memory_mib = job->memory->integer / (1024 * 1024);
    const int64_t shm_mib =
        min_of(schema_constant(CONSTANT_JOB_SHM_MIB), memory_mib * schema_constant(CONSTANT_JOB_SHM_PERCENT_MAX) / 100);
    PlanJobContainer *container = arena_new(builder->arena, PlanJobContainer);
    container->shm = shm != NULL ? shm : mib_value(builder, block, JOB_SHM, job->memory->origin, max_of(shm_mib, 1));
    container->user = block_value(block, JOB_USER);
    read_mounts(builder, block, job->cluster, &container->mounts);
    return container;
}

static Workload workload_of(const PlanJob *job, const Value *word) {
    static const char *const WORDS[] = {
#define CONTROLLER(id, word, ...) [WORKLOAD_##id] = word,
#include "schema/controllers.def"
    };
    for (int i = 0; word != NULL && i < WORKLOAD_COUNT; i++) {
        if (str_is(word->string, WORDS[i])) {
            return (Workload)i;
        }
    }
    return job->launcher == LAUNCHER_MPIRUN ? WORKLOAD_MPI_JOB : WORKLOAD_INDEXED_JOB;
}

static const PlanJobEks *read_eks(Builder *builder, const PlanJob *job) {
    const Block *block = job->head.block;
    PlanJobEks *eks = arena_new(builder->arena, PlanJobEks);
    eks->workload_value = read_known(builder, block, JOB_WORKLOAD);
    eks->workload = workload_of(job, eks->workload_value);
    eks->queue = block_value(block, JOB_QUEUE);
    eks->memory_limit = read_known(builder, block, JOB_MEMORY);
    return eks;
}

// On AWS PCS a group that a queue names has no queue of its own; on ParallelCluster each has.
static Str partition_of(const PlanNodes *group) {
    const PlanQueue *queue =
        group->cluster->target == TARGET_PCS ? plan_queue_of(group->cluster, group->head.id) : NULL;
    return queue != NULL ? queue->head.id : group->head.id;
}

static const PlanJobSlurm *read_slurm(Builder *builder, const PlanJob *job, Share share, const Value *memory) {
    PlanJobSlurm *slurm = arena_new(builder->arena, PlanJobSlurm);
    slurm->partition = partition_of(job->group);
    const bool is_written = block_value(job->head.block, JOB_VCPUS) != NULL;
    const bool has_all =
        share.part >= share.whole && (!is_written || job->vcpus->integer >= job->group->instance->vcpus);
    slurm->is_exclusive = plan_job_is_multi_node(job) || has_all;
    slurm->says_vcpus = is_written || !slurm->is_exclusive;
    slurm->memory = memory;
    if (plan_job_has_image(job)) {
        read_mounts(builder, job->head.block, job->cluster, &slurm->mounts);
    }
    return slurm;
}

enum { ALL_PERCENT = 100 };

static void read_needs(Builder *builder, const Block *block, PlanJob *job) {
    const InstanceRow *row = job->group->instance;
    const Origin *reason =
        origin_join(builder->arena, job->group->instance_value->origin, origin_schema(builder->arena, row->name));
    const Share share = share_of(builder, job);
    const Share taken = plan_job_is_multi_node(job) ? (Share){ .part = 1, .whole = 1 } : share;
    // Of a node on EKS the kubelet, the system and the plugins keep a part.
    const int64_t percent = job->cluster->eks != NULL ? schema_constant(CONSTANT_POD_PERCENT) : ALL_PERCENT;
    const int64_t allocatable = node_memory_to_ask_mib(row) * taken.part / taken.whole * percent / ALL_PERCENT;
    const int64_t vcpus = row->vcpus * taken.part / taken.whole * percent / ALL_PERCENT;
    const Value *memory = read_known(builder, block, JOB_MEMORY);
    job->vcpus = of_type(builder, job, JOB_VCPUS, max_of(vcpus, 1));
    job->gpus = of_type(builder, job, JOB_GPUS, row->accelerator == ACCELERATOR_NVIDIA ? row->accelerators : 0);
    // A GPU for each: NCCL refuses two ranks on one.
    bool has_gpus = row->accelerator == ACCELERATOR_NVIDIA && job->gpus->kind == VALUE_INT;
    job->tasks_per_node =
        of_type(builder, job, JOB_TASKS_PER_NODE, max_of(has_gpus ? job->gpus->integer : plan_neuron_cores(row), 1));
    job->memory = memory != NULL ? memory : mib_value(builder, block, JOB_MEMORY, reason, allocatable);
    job->efa_devices = job->group->fabric.efa_count;
    if (has_container(job->cluster)) {
        job->container = read_container(builder, block, job);
    }
    if (job->cluster->eks != NULL) {
        job->eks = read_eks(builder, job);
    } else if (job->container == NULL) {
        job->slurm = read_slurm(builder, job, share, memory);
    }
    decide_share(builder, job, share);
}

static void decide_launcher(Builder *builder, const PlanJob *job) {
    const int64_t nodes = job->nodes->integer;
    const int64_t tasks = job->tasks_per_node->integer;
    const Block *block = job->head.block;
    if (job->launcher == LAUNCHER_NONE || nodes < 1 || tasks < 1 || nodes > INT32_MAX || tasks > INT32_MAX) {
        return; // nothing to say, or a rule will
    }
    const Str launcher = job->launcher_value->string;
    if (nodes == 1) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "%.*s, %" PRId64 " rank%s", STR_ARG(launcher), tasks, tasks == 1 ? "" : "s");
    } else {
        const bool has_secret = job->launcher == LAUNCHER_MPIRUN && job->cluster->target == TARGET_BATCH;
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "%.*s, %" PRId64 " ranks, %" PRId64 " on each of %" PRId64 " nodes%s", STR_ARG(launcher),
                             nodes * tasks, tasks, nodes, has_secret ? "; a secret for their ssh key" : "");
    }
}

// MPI meets over TCP, and only what NCCL or Neuron's runtime moves goes by EFA: a program that sends its data by MPI itself
// would be slow, and nothing would show it.
// source: docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-start-nccl.html, 2026-11, read 2026-11
static void decide_mpi_network(Builder *builder, const PlanJob *job) {
    const bool is_mpirun = job->launcher == LAUNCHER_MPIRUN && plan_job_is_multi_node(job) && job->efa_devices > 0;
    const AcceleratorKind kind = job->group->instance->accelerator;
    const bool has_own_way = kind == ACCELERATOR_NVIDIA || kind == ACCELERATOR_NEURON;
    if (is_mpirun && has_own_way && !plan_job_sets_mca(job, "pml")) {
        const Block *block = job->head.block;
        builder_add_decision(
            builder, block->subject.name_span, builder_subject(builder, block),
            "MPI's own messages go over TCP, and the collectives of its accelerators over EFA; for data by MPI "
            "begin `command` with \"--mca\", \"pml\", \"cm\", \"--mca\", \"mtl\", \"ofi\"");
    }
}

// The scripts of Slurm and of torchrun tell Neuron's runtime where its processes meet, and pods with ranks know the name
// of the first. Elsewhere the address is known when the job runs, to its command alone.
static void decide_neuron_leader(Builder *builder, const PlanJob *job) {
    static const char NAME[] = "NEURON_RT_ROOT_COMM_ID";
    const bool is_batch = job->cluster->target == TARGET_BATCH;
    const bool is_told =
        is_batch ? job->launcher == LAUNCHER_TORCHRUN : job->eks == NULL || job->eks->workload != WORKLOAD_MPI_JOB;
    if (is_told || !plan_job_is_multi_node(job) || job->group->instance->accelerator != ACCELERATOR_NEURON ||
        job->efa_devices == 0 || value_get(job->env, NAME) != NULL) {
        return;
    }
    const Block *block = job->head.block;
    builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                         "its command has to set %s, the address of the first node and a free port%s", NAME,
                         is_batch ? ": AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS is there on the other nodes" : "");
}

static void decide_channel(Builder *builder, const PlanJob *job) {
    const PlanObject *domain = plan_job_domain(job);
    if (domain != NULL) {
        const Block *block = job->head.block;
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "its pods claim the channel of ComputeDomain `%.*s`, for NVLink between its nodes",
                             STR_ARG(plan_name_of_object(domain)));
    }
}

static Launcher launcher_named(Str word) {
    static const struct {
        const char *word;
        Launcher launcher;
    } ROWS[] = {
        { "none", LAUNCHER_NONE },
        { "mpirun", LAUNCHER_MPIRUN },
        { "torchrun", LAUNCHER_TORCHRUN },
        { "srun", LAUNCHER_SRUN },
    };
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (str_is(word, ROWS[i].word)) {
            return ROWS[i].launcher;
        }
    }
    return LAUNCHER_NONE;
}

// `cache` is a variable behind the author's own. What `env` says goes before it, as it does of all that dtc gives.
static const Value *read_env(Builder *builder, const Block *block) {
    static const char NAME[] = "NEURON_COMPILE_CACHE_URL";
    const Value *env = read_map(builder, block, JOB_ENV);
    const Value *cache = block_value(block, JOB_CACHE);
    const uint32_t count = env->kind == VALUE_MAP ? env->map.count : 0;
    if (cache == NULL || cache->kind == VALUE_NULL || cache->kind == VALUE_ERROR || env->kind != VALUE_MAP) {
        return env;
    }
    ValueEntry *entries = arena_new_array(builder->arena, ValueEntry, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        entries[i] = env->map.entries[i];
        if (str_is(entries[i].key, NAME)) {
            return env;
        }
    }
    entries[count] =
        (ValueEntry){ .key = str_of(NAME), .key_span = subject_key(&block->subject, JOB_CACHE), .value = cache };
    Value *merged = arena_new(builder->arena, Value);
    *merged = *env;
    merged->map.entries = entries;
    merged->map.count = count + 1;
    return merged;
}

static void read_depends_on(Builder *builder, const Block *block, PlanJob *job) {
    const Value *list = read_known_list(builder, block, JOB_DEPENDS_ON);
    for (uint32_t i = 0; i < list->list.count; i++) {
        const Value *item = list->list.items[i];
        const Block *other = item->block;
        const PlanJobBefore before = { .id = other->name,
                                       .cluster = other->on == NULL ? STR_NONE : other->on->name,
                                       .is_elsewhere = other->on != block->on,
                                       .subject = &other->subject,
                                       .span = item->span };
        vec_push(builder->arena, &job->depends_on, before);
    }
}

const PlanJob *build_job(Builder *builder, const Block *block, const PlanCluster *cluster) {
    PlanJob *job = arena_new(builder->arena, PlanJob);
    job->head = builder_head(builder, block, -1);
    job->cluster = cluster;
    job->group = find_group(builder, block, cluster);
    if (job->group == NULL) {
        return NULL;
    }
    const Value *image = block_value(block, JOB_IMAGE);
    if (image != NULL && image->kind == VALUE_BLOCK) {
        job->image = plan_image(builder->plan, image->block);
    } else {
        job->image_uri = image;
    }
    job->nodes = read_int(builder, block, JOB_NODES, 1);
    if (!value_is_known(job->nodes)) {
        read_known(builder, block, JOB_NODES);
        return NULL;
    }
    job->launcher_value = read_word(builder, block, JOB_LAUNCHER, "none");
    job->launcher = launcher_named(job->launcher_value->string);
    read_needs(builder, block, job);
    job->command = block_value(block, JOB_COMMAND);
    job->precompile = read_bool(builder, block, JOB_PRECOMPILE, false);
    job->env = read_env(builder, block);
    job->access = build_access(builder, block, cluster);
    build_secrets(builder, block, job);
    job->attempts = read_int(builder, block, JOB_ATTEMPTS, 1);
    if (!value_is_known(job->attempts) && cluster->batch == NULL) {
        read_known(builder, block, JOB_ATTEMPTS);
        return NULL;
    }
    const Value *retry_on = read_known(builder, block, JOB_RETRY_ON);
    job->node_loss = retry_on != NULL && str_is(retry_on->string, "node_loss") ? retry_on : NULL;
    job->timeout = read_known(builder, block, JOB_TIMEOUT);
    job->array_size = read_known(builder, block, JOB_ARRAY_SIZE);
    read_depends_on(builder, block, job);
    const InstanceRow *row = job->group->instance;
    if (row->unverified != NULL && job->efa_devices > 0 && cluster->batch != NULL) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "which devices of %s are those of EFA is unverified: `dtc explain %s`", row->name,
                             row->name);
    }
    if (job->cluster->target == TARGET_PCS && job->cluster->jobs.count == 0) {
        const Block *cluster_block = job->cluster->head.block;
        builder_add_decision(builder, cluster_block->subject.name_span, builder_subject(builder, cluster_block),
                             "sbatch runs on a login node of your own, in a folder that the nodes mount too");
    }
    if (job->cluster->target == TARGET_PCS && plan_job_has_image(job)) {
        builder_add_decision(
            builder, block->subject.name_span, builder_subject(builder, block),
            "runs in a container: the image of the nodes has enroot, and pyxis in Slurm's plugstack.conf");
    }
    build_container(builder, job);
    decide_launcher(builder, job);
    build_decide_default_group(builder, job, "its");
    decide_neuron_leader(builder, job);
    decide_mpi_network(builder, job);
    decide_channel(builder, job);
    return job;
}
