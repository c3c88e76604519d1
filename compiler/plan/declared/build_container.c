// What rules ask of the containers of jobs on AWS Batch. Raw ones have the same: raw/raw_definition.c.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/model/capacity.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/image.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/model/queue.h"
#include "compiler/plan/model/workload.h"

// ---- containers ------------------------------------------------------------------------------------------------

static void add_variable(Builder *builder, PlanContainer *needs, Str name, Span name_span, const Value *value) {
    PlanVariable variable;
    if (container_variable(builder->arena, name, name_span, value, &variable)) {
        vec_push(builder->arena, &needs->variables, variable);
    }
}

// Options of mpirun in front of the program: `-x NAME=VALUE`.
static void add_options(Builder *builder, PlanContainer *needs, const Value *command) {
    const uint32_t count = command != NULL && command->kind == VALUE_LIST ? command->list.count : 0;
    for (uint32_t i = 0; i + 1 < count; i++) {
        const Value *option = command->list.items[i];
        const Value *setting = command->list.items[i + 1];
        if (option->kind != VALUE_STRING || !str_is(option->string, "-x") || setting->kind != VALUE_STRING) {
            continue;
        }
        const size_t sign = str_find(setting->string, STR("="), 0);
        if (sign < setting->string.len) {
            const Str value = str_slice(setting->string, sign + 1, setting->string.len);
            const PlanVariable variable = {
                .name = field_known("-x", setting->span, str_slice(setting->string, 0, sign)),
                .value = field_known("-x", setting->span, value),
            };
            vec_push(builder->arena, &needs->variables, variable);
        }
    }
}

static void add_variables(Builder *builder, const PlanJob *job, PlanContainer *needs) {
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        add_variable(builder, needs, entry->key, entry->key_span, entry->value);
    }
    if (job->launcher == LAUNCHER_MPIRUN) {
        add_options(builder, needs, job->command);
    }
}

// The command of a container that nothing stands before. Volcano and arrays tell their pods and children who they are.
static PlanFields command_of(Builder *builder, const PlanJob *job) {
    const bool is_told = job->array_size != NULL || (job->eks != NULL && job->eks->workload == WORKLOAD_VOLCANO_JOB);
    const bool is_list = job->command != NULL && job->command->kind == VALUE_LIST;
    if (job->launcher != LAUNCHER_NONE || is_told || !is_list) {
        return (PlanFields){ .state = FIELD_ABSENT, .name = "command" };
    }
    const uint32_t count = job->command->list.count;
    PlanField *words = arena_new_array(builder->arena, PlanField, count);
    for (uint32_t i = 0; i < count; i++) {
        const Value *word = job->command->list.items[i];
        words[i] = word->kind == VALUE_STRING
                       ? field_known("command", word->span, word->string)
                       : (PlanField){ .state = FIELD_LATE, .name = "command", .span = word->span };
    }
    return (PlanFields){ .state = FIELD_KNOWN, .name = "command", .items = words, .count = count };
}

static PlanField number_field(Builder *builder, const char *name, const Value *value, Span span) {
    return field_known(name, span, str_format(builder->arena, "%" PRId64, value->integer));
}

// Shared memory that is not written is a part of the memory.
static PlanField shm_field(const PlanJob *job) {
    const Value *shm = subject_value(job->head.subject, JOB_SHM);
    PlanField field = field_known("shm", shm != NULL ? shm->span : job->memory->span, STR_NONE);
    field.state = shm != NULL ? FIELD_KNOWN : FIELD_ABSENT;
    return field;
}

static void add_to_environments(Builder *builder, const PlanNodes *group, const PlanContainer *needs) {
    const PlanQueue *queue = plan_queue_of(group->cluster, group->head.id);
    for (uint32_t i = 0; queue != NULL && i < queue->nodes.count; i++) { // it may run on each
        vec_push(builder->arena, &queue->nodes.items[i]->group->jobs, needs);
    }
    if (queue == NULL) {
        vec_push(builder->arena, &group->group->jobs, needs);
    }
}

// The name and the tag of its image, as the job or the recipe of the image has it.
static void read_image(const PlanJob *job, PlanWorkload *workload) {
    const PlanRecipe *recipe = job->image == NULL ? NULL : job->image->recipe;
    const Value *value = job->image == NULL ? job->image_uri : recipe == NULL ? NULL : recipe->base;
    const bool is_tag = value != NULL && value->kind == VALUE_TAG; // container(NAME)
    const Value *text = is_tag ? value->tag.arguments[0] : value;
    if (text != NULL && text->kind == VALUE_STRING) {
        workload->image = field_known("image", text->span, text->string);
        workload->is_dlc = is_tag || plan_image_is_dlc(text->string);
    }
}

static const PlanWorkload *workload_of(Builder *builder, const PlanJob *job) {
    const Value *user = job->container == NULL ? NULL : job->container->user;
    PlanWorkload *workload = arena_new(builder->arena, PlanWorkload);
    *workload = (PlanWorkload){
        .subject = job->head.subject,
        .name = job->head.id,
        .row = job->group->instance,
        .row_span = job->group->instance_value->span,
        .is_for_nvidia = job->gpus == NULL || job->gpus->kind != VALUE_INT || job->gpus->integer > 0,
        .is_for_neuron = true,
        .launcher = launcher_of_job(builder->session, job->command, job->env),
        .has_efa = job->efa_devices > 0 ? ANSWER_YES : ANSWER_NO,
    };
    read_image(job, workload);
    if (user != NULL && user->kind == VALUE_STRING) {
        workload->user = field_known("user", user->span, user->string);
    }
    return workload;
}

void build_container(Builder *builder, PlanJob *job) {
    const PlanNodes *group = job->group;
    const bool has_gpus = subject_value(job->head.subject, JOB_GPUS) != NULL;
    const bool is_multi_node = plan_job_is_multi_node(job);
    // AWS Batch finds a node on which the job has room; several nodes are of the type that the job definition names.
    const InstanceRow *row = is_multi_node ? group->instance : plan_largest_type(group)->row;
    const Span type = is_multi_node ? group->instance_value->span : plan_largest_type(group)->name->span;
    const Span block = job->head.subject->name_span;
    const int64_t cores = plan_neuron_cores(group->instance);
    PlanContainer *needs = arena_new(builder->arena, PlanContainer);
    *needs = (PlanContainer){
        .form = FORM_DECLARED,
        .subject = job->head.subject,
        .name = job->head.id,
        .is_multi_node = is_multi_node,
        .has_own_network = job->eks != NULL,
        .nodes = number_field(builder, "nodes", job->nodes, job->nodes->span),
        .row = row,
        .instance_type = field_known("instance", type, str_of(row->name)),
        .efa_count = group->fabric.efa_count,
        .efa_most = -1, // dtc maps those that there are
        .key = block,
        .vcpus = number_field(builder, "vcpus", job->vcpus, job->vcpus->span),
        .gpus = number_field(builder, "gpus", job->gpus, has_gpus ? job->gpus->span : type),
        .memory = field_known("memory", job->memory->span, value_print(builder->arena, job->memory)),
        .memory_bytes = job->memory->integer,
        .shm = shm_field(job),
        .shm_bytes = job->container == NULL ? -1 : job->container->shm->integer,
        .devices = { .state = FIELD_ABSENT, .span = block },
        .efa_devices = job->efa_devices,
        .memlock = field_known("memlock", block, STR("-1")),
        .neuron_cores = cores > 0 ? (int)cores : 0,
        .neuron_span = type,
        .command = command_of(builder, job),
    };
    if (needs->is_multi_node && group->fabric.efa_count > 0) {
        vec_push(builder->arena, &needs->efa_nodes, plan_efa_nodes(group));
    }
    add_variables(builder, job, needs);
    job->needs = needs;
    job->workload = workload_of(builder, job);
    needs->launcher =
        needs->command.state == FIELD_KNOWN ? job->workload->launcher : launcher_of_job(builder->session, NULL, NULL);
    if (job->cluster->batch != NULL) {
        add_to_environments(builder, group, needs);
    }
}

// How the default group of a VPC is looked at; empty where only the deployment knows the VPC.
static Str look_at_group(Builder *builder, const PlanCluster *cluster) {
    const Value *vpc = cluster->network->mode == NETWORK_GIVEN ? cluster->network->given.vpc : NULL;
    if (vpc == NULL || vpc->kind != VALUE_STRING) {
        return STR_NONE;
    }
    const Str region =
        cluster->region.len == 0 ? STR_NONE : str_format(builder->arena, " --region %.*s", STR_ARG(cluster->region));
    return str_format(builder->arena,
                      "; to look: `aws ec2 describe-security-groups%.*s --filters Name=vpc-id,Values=%.*s "
                      "Name=group-name,Values=default`",
                      STR_ARG(region), STR_ARG(vpc->string));
}

// The containers of a multi-node job have network interfaces of their own. These have the security groups of the
// compute environment, and the default one of the VPC where it names none, because the launch template does (AWS Batch
// User Guide, Compute environment considerations for MNP, 2026-11; aws/aws-cdk#21577). In a VPC that somebody else made,
// that group may have no rules, as Security Hub's control EC2.2 wants it. An account that empties such groups does it to
// a new VPC too, whatever a stack writes into it.
// Of a network that dtc makes: once, however many jobs there are.
static void decide_own_group(Builder *builder, const Block *block, const PlanCluster *cluster) {
    static const char TEXT[] =
        "containers of multi-node jobs have the VPC's default security group, whose members reach "
        "each other; an account that empties such groups (Security Hub EC2.2) has to except it";
    for (uint32_t i = 0; i < builder->plan->decisions.count; i++) {
        const PlanDecision *decision = builder->plan->decisions.items[i];
        if (str_equal(decision->subject, cluster->head.id) && str_is(decision->text, TEXT)) {
            return;
        }
    }
    builder_add_decision(builder, block->subject.name_span, cluster->head.id, "%s", TEXT);
}

void build_decide_default_group(Builder *builder, const PlanJob *job, const char *whose) {
    const PlanCluster *cluster = job->cluster;
    const PlanNetwork *network = cluster->network;
    if (cluster->target != TARGET_BATCH || !plan_job_is_multi_node(job) || network == NULL) {
        return;
    }
    const Block *block = job->head.block;
    if (network->mode == NETWORK_MADE) {
        decide_own_group(builder, block, cluster);
        return;
    }
    builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                         "%s containers have the VPC's default security group: it has to let traffic in from itself, "
                         "and all traffic out%.*s",
                         whose, STR_ARG(look_at_group(builder, cluster)));
}
