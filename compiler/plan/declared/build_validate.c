// What nodes check of themselves before they take work: whether they check, with which core, and against which record.
// The check is on by default if the group has EFA and the target can carry it, because nothing else notices a missing
// interface.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/bootstrap.h"
#include "compiler/plan/model/node_record.h"
#include "compiler/plan/model/capacity.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/node_room.h"
#include "schema/operating_systems.h"

enum { COLLECTIVE_GLIBC_MINOR = 34 }; // of the glibc 2 that dtc-collective is linked with
enum { MIB = 1024 * 1024, SECOND_MS = 1000, MINUTE_MS = 60 * SECOND_MS, ALL_PERCENT = 100 };

// Why the target's nodes cannot be given the check; NULL where they can.
static const char *gap_of(const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    if (!bootstrap_honours(cluster->os->string, BOOTSTRAP_SCRIPTS)) {
        return "Bottlerocket runs no script of user data";
    }
    if (cluster->target == TARGET_EKS && !bootstrap_honours(cluster->os->string, BOOTSTRAP_HOLD)) {
        return "only nodes of Amazon Linux 2023 start their kubelet behind what user data runs";
    }
    if (cluster->target == TARGET_PARALLELCLUSTER && cluster->artifacts == NULL) {
        return "they would fetch the check, and the cluster has no `artifacts`";
    }
    if (cluster->target == TARGET_PCS) {
        return "dtc does not write the check for AWS PCS yet";
    }
    return NULL;
}

static const char *default_collective(const PlanNodes *nodes) {
    return plan_nothing_to_measure(nodes) == NULL ? "all_reduce" : "none";
}

// The limit is also how long a device may be late, and a driver of GPUs that an image loads at boot is.
static const Value *default_limit(Builder *builder, const PlanNodes *nodes) {
    Value *limit = value_new(builder->arena, VALUE_DURATION, nodes->head.subject->name_span,
                             origin_schema(builder->arena, "validate.timeout"));
    const bool has_gpus = nodes->instance->accelerator == ACCELERATOR_NVIDIA;
    limit->integer =
        schema_constant(has_gpus ? CONSTANT_NODE_CHECK_LIMIT_GPU_S : CONSTANT_NODE_CHECK_LIMIT_S) * SECOND_MS;
    return limit;
}

// The words of `on_fail`, in the order of OnFail.
static const char *const ON_FAIL_WORDS[] = { "quarantine", "terminate", "warn" };

// A node of AWS Batch that fails still counts as one of the group's nodes. A job of several nodes waits for its place
// for ever. ParallelCluster keeps no node that fails (check/node_check.c). On EKS pods find other nodes.
static OnFail default_on_fail(const PlanNodes *nodes) {
    return nodes->cluster->target == TARGET_EKS ? ON_FAIL_QUARANTINE : ON_FAIL_TERMINATE;
}

static void read_on_fail(Builder *builder, const Block *block, PlanValidate *validate) {
    const Value *word = read_known(builder, block, VALIDATE_ON_FAIL);
    validate->on_fail_written = word != NULL;
    for (size_t i = 0; word != NULL && i < COUNT_OF(ON_FAIL_WORDS); i++) {
        if (str_is(word->string, ON_FAIL_WORDS[i])) {
            validate->on_fail = (OnFail)i;
        }
    }
}

static const Value *default_keep(Builder *builder, const PlanNodes *nodes) {
    Value *keep = value_new(builder->arena, VALUE_DURATION, nodes->head.subject->name_span,
                            origin_schema(builder->arena, "validate.keep"));
    keep->integer = schema_constant(CONSTANT_NODE_CHECK_KEEP_MINUTES) * MINUTE_MS;
    return keep;
}

// Every attribute as where the block is there and says nothing.
static void read_defaults(Builder *builder, const PlanNodes *nodes, PlanValidate *validate) {
    const Block *block = nodes->head.block;
    Value *collective = value_new(builder->arena, VALUE_WORD, block->subject.name_span,
                                  origin_schema(builder->arena, "validate.collective"));
    collective->string = str_of(default_collective(nodes));
    validate->collective = collective;
    validate->origin = origin_join(builder->arena, nodes->head.origin, nodes->fabric.origin);
    validate->files = value_list(builder->arena, block->subject.name_span, NULL, NULL, 0);
    validate->limit = default_limit(builder, nodes);
    validate->on_fail = default_on_fail(nodes);
    validate->keep = default_keep(builder, nodes);
}

// An image block stands for its `uri`: where the repository is made is not this group's business.
static const Value *read_image(Builder *builder, const Block *block) {
    static const char OUTPUT[] = "uri";
    const Value *image = block_value(block, VALIDATE_IMAGE);
    if (image == NULL || image->kind != VALUE_BLOCK) {
        return image;
    }
    Late *late = arena_new(builder->arena, Late);
    *late = (Late){ .kind = LATE_OUTPUT,
                    .type = schema_output(image->block->kind, STR(OUTPUT))->type,
                    .block = image->block,
                    .name = STR(OUTPUT) };
    Value *uri = value_new(builder->arena, VALUE_LATE, image->span, image->origin);
    uri->late = late;
    return uri;
}

static void read_block(Builder *builder, const PlanNodes *nodes, const Block *block, PlanValidate *validate) {
    validate->part = plan_part(builder->plan, block);
    validate->origin = block->origin;
    validate->collective = read_word(builder, block, VALIDATE_COLLECTIVE, default_collective(nodes));
    validate->image = read_image(builder, block);
    validate->min_busbw = read_known(builder, block, VALIDATE_MIN_BUSBW);
    validate->on_fail = default_on_fail(nodes);
    read_on_fail(builder, block, validate);
    const Value *keep = read_known(builder, block, VALIDATE_KEEP);
    validate->keep = keep != NULL ? keep : default_keep(builder, nodes);
    validate->is_script = str_is(read_word(builder, block, VALIDATE_CORE, "c")->string, "sh");
    validate->files = read_known_list(builder, block, VALIDATE_FILES);
    validate->modules = read_known(builder, block, VALIDATE_MODULES);
    validate->verdicts = read_known(builder, block, VALIDATE_VERDICTS);
    validate->verdicts_key = read_known(builder, block, VALIDATE_VERDICTS_KEY);
    validate->textfile = read_known(builder, block, VALIDATE_TEXTFILE);
    const Value *limit = read_known(builder, block, VALIDATE_TIMEOUT);
    validate->limit = limit != NULL ? limit : default_limit(builder, nodes);
}

static bool can_start_collective(const PlanCluster *cluster) {
    const int glibc = operating_system(cluster->os->string)->glibc_minor;
    return glibc == 0 || glibc >= COLLECTIVE_GLIBC_MINOR;
}

// Why a group that is to be measured has no job for it, and the way out; empty where it has one. First what nothing that
// is written beside it can mend.
static PlanJobGap job_gap(const PlanNodes *nodes, const PlanValidate *validate) {
    const PlanCluster *cluster = nodes->cluster;
    const bool is_batch = cluster->target == TARGET_BATCH;
    if (cluster->target == TARGET_EKS) { // the image brings the program
        return validate->image != NULL
                   ? (PlanJobGap){ 0 }
                   : (PlanJobGap){ "a job on EKS runs in a container: write `image`, with dtc-collective and libfabric",
                                   "an `image`" };
    }
    if (is_batch && capacity_has(nodes->capacity, CAPACITY_SPOT)) {
        return (PlanJobGap){ "AWS Batch runs no job of several nodes on Spot", "other `capacity` than Spot" };
    }
    if (is_batch && validate->image == NULL) {
        return (PlanJobGap){ "a job on AWS Batch runs in a container: write `image`, with libfabric and the AWS CLI",
                             "an `image`" };
    }
    if (cluster->artifacts == NULL) {
        return (PlanJobGap){
            "nodes fetch dtc-collective, and there is no place to put it: write `artifacts` in the cluster",
            "`artifacts` of its cluster"
        };
    }
    return !is_batch && !can_start_collective(cluster)
               ? (PlanJobGap){ "dtc-collective needs glibc 2.34, and the system's is older", "a newer `os`" }
               : (PlanJobGap){ 0 };
}

// The nodes that are always there; of a group that starts from nothing, all of them. More than a job takes are measured
// in several, which is the author's to say.
static int job_nodes(const PlanNodes *nodes) {
    const int64_t most = schema_constant(CONSTANT_COLLECTIVE_RANKS_MOST);
    const int64_t count = nodes->count.low->integer > 1 ? nodes->count.low->integer : nodes->count.high->integer;
    return (int)(count < most ? count : most);
}

// In which accelerators are measured, too: its nodes come together as those of mpirun do, with a process on each.
static void add_accelerators(Builder *builder, const PlanNodes *nodes, PlanJob *job, PlanJobContainer *container) {
    const Span span = nodes->validate->part->subject->span;
    const Origin *origin = nodes->validate->origin;
    const bool has_gpus = nodes->instance->accelerator == ACCELERATOR_NVIDIA;
    job->launcher = LAUNCHER_MPIRUN;
    job->launcher_value = nodes->validate->collective;
    job->tasks_per_node = value_int(builder->arena, span, origin, 1);
    job->gpus = value_int(builder->arena, span, origin_join(builder->arena, origin, nodes->instance_value->origin),
                          has_gpus ? nodes->instance->accelerators : 0);
    const int64_t most = job->memory->integer * schema_constant(CONSTANT_JOB_SHM_PERCENT_MAX) / ALL_PERCENT;
    const int64_t usual = schema_constant(CONSTANT_JOB_SHM_MIB) * MIB;
    Value *shm = value_new(builder->arena, VALUE_SIZE, span, origin);
    shm->integer = (usual < most ? usual : most) / MIB * MIB;
    container->shm = shm;
}

// One container a node that sees `percent` of its memory and CPUs. Its command is the emitter's.
static PlanJob *node_job(Builder *builder, const PlanNodes *nodes, Str name, int64_t percent, int64_t minutes) {
    enum { ATTEMPTS = 2 };
    const PlanValidate *validate = nodes->validate;
    const Span span = validate->part->subject->span;
    const Origin *origin = validate->origin;
    PlanJob *job = arena_new(builder->arena, PlanJob);
    job->head = nodes->head;
    job->head.id = name;
    job->cluster = nodes->cluster;
    job->group = nodes;
    job->image_uri = validate->image;
    job->nodes = value_int(builder->arena, span, origin, validate->first_job);
    job->env = value_new(builder->arena, VALUE_MAP, span, origin);
    job->vcpus = value_int(builder->arena, span, origin_join(builder->arena, origin, nodes->instance_value->origin),
                           nodes->instance->vcpus * percent / ALL_PERCENT);
    job->efa_devices = nodes->fabric.efa_count;
    Value *memory = value_new(builder->arena, VALUE_SIZE, span, job->vcpus->origin);
    memory->integer = node_memory_to_ask_mib(nodes->instance) * percent / ALL_PERCENT * MIB;
    job->memory = memory;
    job->attempts = value_int(builder->arena, span, origin, nodes->cluster->target == TARGET_BATCH ? ATTEMPTS : 1);
    Value *timeout = value_new(builder->arena, VALUE_DURATION, span, origin);
    timeout->integer = minutes * MINUTE_MS + schema_constant(CONSTANT_COLLECTIVE_RENDEZVOUS_S) * SECOND_MS;
    job->timeout = timeout;
    PlanJobContainer *container = arena_new(builder->arena, PlanJobContainer);
    if (plan_measures_accelerators(nodes)) {
        add_accelerators(builder, nodes, job, container);
    }
    job->container = container;
    return job;
}

static const PlanJob *batch_job(Builder *builder, const PlanNodes *nodes) {
    const int64_t accelerators =
        plan_measures_accelerators(nodes) ? schema_constant(CONSTANT_COLLECTIVE_NCCL_MINUTES) : 0;
    const Str name = str_format(builder->arena, "%.*s-validate", STR_ARG(nodes->head.id));
    return node_job(builder, nodes, name, ALL_PERCENT, schema_constant(CONSTANT_COLLECTIVE_MINUTES) + accelerators);
}

// The job of the accelerators alone: what dtc-collective measures is an Indexed Job, which needs nothing of the cluster.
static const PlanJob *eks_job(Builder *builder, const PlanNodes *nodes) {
    const Str name =
        str_format(builder->arena, "%.*s-%.*s-nccl", STR_ARG(nodes->cluster->head.id), STR_ARG(nodes->head.id));
    PlanJob *job = node_job(builder, nodes, name, schema_constant(CONSTANT_POD_PERCENT),
                            schema_constant(CONSTANT_COLLECTIVE_NCCL_MINUTES));
    PlanJobEks *eks = arena_new(builder->arena, PlanJobEks);
    eks->workload = WORKLOAD_MPI_JOB;
    job->eks = eks;
    return job;
}

static void plan_first_job(Builder *builder, const PlanNodes *nodes, PlanValidate *validate) {
    const bool is_measured = !str_is(validate->collective->string, "none");
    if (!is_measured || plan_nothing_to_measure(nodes) != NULL) {
        return;
    }
    validate->job_gap = job_gap(nodes, validate);
    if (validate->job_gap.why == NULL) {
        validate->first_job = job_nodes(nodes);
        if (nodes->cluster->target == TARGET_BATCH) {
            validate->job = batch_job(builder, nodes);
            build_decide_default_group(builder, validate->job, "its first job's");
        } else if (nodes->cluster->target == TARGET_EKS && plan_measures_accelerators(nodes)) {
            validate->job = eks_job(builder, nodes);
        }
    } else if (validate->part != NULL) {
        builder_add_decision(builder, validate->part->subject->span, builder_subject(builder, nodes->head.block),
                             "no job measures its nodes: %s", validate->job_gap.why);
    }
}

// What becomes of a node that fails, where it is more than that it takes no work.
static void decide_end(Builder *builder, const PlanNodes *nodes) {
    const PlanValidate *validate = nodes->validate;
    if (validate->gap == NULL && validate->on_fail == ON_FAIL_TERMINATE) {
        builder_add_decision(
            builder, validate->part != NULL ? validate->part->subject->span : nodes->head.subject->name_span,
            builder_subject(builder, nodes->head.block),
            "a node %s its check is ended after %" PRId64 " minutes, which makes room for another",
            validate->on_fail_written ? "that fails" : "whose hardware fails", validate->keep->integer / MINUTE_MS);
    }
}

// What nobody looks at, where there is a place for the program that would. Without one the line about user data says it.
static void decide_second(Builder *builder, const PlanNodes *nodes) {
    const PlanValidate *validate = nodes->validate;
    if (validate->has_second && !validate->has_program) {
        builder_add_decision(
            builder, validate->part != NULL ? validate->part->subject->span : nodes->head.subject->name_span,
            builder_subject(builder, nodes->head.block),
            "the check does not ask drivers: dtc-collective needs glibc 2.34, and the system's is older");
    }
}

void build_validate(Builder *builder, const Block *block, PlanNodes *nodes) {
    const Block *written = read_child(block, KIND_VALIDATE);
    if (read_is_off(block, KIND_VALIDATE)) {
        return;
    }
    const char *gap = gap_of(nodes);
    const bool lacks_place = nodes->cluster->target == TARGET_PARALLELCLUSTER && nodes->cluster->artifacts == NULL;
    if (written == NULL && (nodes->fabric.efa_count == 0 || gap != NULL)) {
        if (nodes->fabric.efa_count > 0) {
            builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                                 "nodes are not checked before they take work: %s%s", gap,
                                 lacks_place ? "; write `artifacts = \"s3://BUCKET\"` in it" : "");
        }
        return;
    }
    PlanValidate *validate = arena_new(builder->arena, PlanValidate);
    if (written != NULL) {
        read_block(builder, nodes, written, validate);
    } else {
        read_defaults(builder, nodes, validate);
    }
    validate->gap = gap;
    validate->has_second = nodes->cluster->artifacts != NULL && gap == NULL;
    validate->has_program = validate->has_second && can_start_collective(nodes->cluster);
    validate->record = node_record_write(builder->arena, nodes, validate);
    nodes->validate = validate;
    if (gap == NULL) {
        plan_first_job(builder, nodes, validate);
    }
    decide_end(builder, nodes);
    decide_second(builder, nodes);
}
