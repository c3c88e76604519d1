// Job definitions: a container for a job of one node, a multi-node parallel job for more. All nodes of the latter are
// alike, so there is one range. Batch runs such a job on nodes of its own, with one container each, and refuses Spot
// for it (https://docs.aws.amazon.com/batch/latest/userguide/mnp-ce.html, 2026-11). The plan's rules check this.
#include "emitters/cloudformation/batch/batch.h"

#include "emitters/cloudformation/template/condition.h"
#include "emitters/cloudformation/access/job_role.h"
#include "emitters/cloudformation/access/job_secrets.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/limits.h"
#include "emitters/cloudformation/batch/launcher.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/import.h"
#include "emitters/cloudformation/access/ssh_key.h"
#include "emitters/cloudformation/template/tags.h"
#include "emitters/job/job_environment.h"
#include "stdlib/node/contract.h"

enum {
    MIB = 1024 * 1024,
    MILLISECONDS = 1000,
};

typedef struct {
    const char *name;
    enum ConstantId limit;
} UlimitRow;

static const UlimitRow ULIMIT_ROWS[] = {
    { "memlock", CONSTANT_ULIMIT_MEMLOCK },
    { "stack", CONSTANT_ULIMIT_STACK },
    { "nofile", CONSTANT_ULIMIT_NOFILE },
};

// Batch takes the numbers of resources as texts.
static void add_resource(Stack *stack, DocNode *list, const char *type, DocNode *value) {
    DocNode *entry = tree_add_map(stack->doc, list);
    tree_put_text(stack->doc, entry, "Type", WHY_BATCH_RESOURCES, type);
    tree_put(stack->doc, entry, "Value", value);
}

static DocNode *number_text(Stack *stack, const Value *value, int64_t number) {
    return doc_string(stack->doc, str_format(stack->arena, "%" PRId64, number), value->origin);
}

static void add_resources(Stack *stack, DocNode *container, const PlanJob *job) {
    DocNode *list = tree_put_list(stack->doc, container, "ResourceRequirements");
    bool is_known = job->vcpus->kind == VALUE_INT;
    add_resource(stack, list, "VCPU",
                 is_known ? number_text(stack, job->vcpus, job->vcpus->integer) : template_value(stack, job->vcpus));
    add_resource(stack, list, "MEMORY", number_text(stack, job->memory, job->memory->integer / MIB));
    if (job->gpus != NULL && job->gpus->kind == VALUE_INT && job->gpus->integer > 0) {
        add_resource(stack, list, "GPU", number_text(stack, job->gpus, job->gpus->integer));
    }
}

// One container alone on the CPUs of a node has what Docker gives it. NVIDIA recommends the limits for every container of
// a framework on GPUs, of one GPU too: /opt/nvidia/entrypoint.d of its images, 70-shm-check.sh.
static bool wants_ulimits(const PlanJob *job) {
    return job->group->instance->accelerator != ACCELERATOR_NONE || job->efa_devices > 0 ||
           job->launcher != LAUNCHER_NONE || plan_job_is_multi_node(job);
}

static void add_ulimits(Stack *stack, DocNode *container) {
    DocNode *list = tree_put_list(stack->doc, container, "Ulimits");
    for (size_t i = 0; i < COUNT_OF(ULIMIT_ROWS); i++) {
        DocNode *entry = tree_add_map(stack->doc, list);
        tree_put_text(stack->doc, entry, "Name", WHY_BATCH_ULIMITS, ULIMIT_ROWS[i].name);
        int64_t limit = schema_constant(ULIMIT_ROWS[i].limit);
        tree_put(stack->doc, entry, "SoftLimit", tree_number(stack->doc, WHY_BATCH_ULIMITS, limit));
        tree_put(stack->doc, entry, "HardLimit", tree_number(stack->doc, WHY_BATCH_ULIMITS, limit));
    }
}

// By default a device has the same path in the container and all three permissions (AWS Batch API Reference, Device,
// 2026-11). 32 devices are most of a definition.
static void add_devices(Stack *stack, DocNode *devices, const char *prefix, int count, Why reason) {
    for (int i = 0; i < count; i++) {
        Str path = str_format(stack->arena, "%s%d", prefix, i);
        tree_put(stack->doc, tree_add_map(stack->doc, devices), "HostPath", tree_string(stack->doc, reason, path));
    }
}

static void add_linux_parameters(Stack *stack, DocNode *container, const PlanJob *job) {
    DocNode *parameters = doc_map(stack->doc);
    if (job->container->shm != NULL && job->container->shm->kind == VALUE_SIZE) {
        int64_t size = job->container->shm->integer / MIB;
        tree_put(stack->doc, parameters, "SharedMemorySize", doc_int(stack->doc, size, job->container->shm->origin));
    }
    const InstanceRow *instance = job->group->instance;
    int neuron = instance->accelerator == ACCELERATOR_NEURON ? instance->accelerators : 0;
    if (job->efa_devices > 0 || neuron > 0) {
        DocNode *devices = tree_put_list(stack->doc, parameters, "Devices");
        doc_because(stack->doc, job->group->fabric.origin);
        add_devices(stack, devices, "/dev/infiniband/uverbs", job->efa_devices, WHY_BATCH_EFA_DEVICES);
        doc_unbecause(stack->doc);
        doc_because(stack->doc, job->group->instance_value->origin);
        add_devices(stack, devices, "/dev/neuron", neuron, WHY_BATCH_NEURON_DEVICES);
        doc_unbecause(stack->doc);
    }
    if (doc_count(parameters) > 0) {
        tree_put(stack->doc, container, "LinuxParameters", parameters);
    }
}

// What dtc gives: the launcher's variables, and those of the network. A first job has its own.
static void add_variables(Stack *stack, DocNode *list, const PlanJob *job) {
    if (job->launcher == LAUNCHER_MPIRUN) {
        mpirun_add_environment(stack, list, job);
    } else if (job->launcher == LAUNCHER_TORCHRUN) {
        torchrun_add_environment(stack, list, job);
    }
    JobVariable variables[JOB_VARIABLES_MAX];
    const int count = job->launcher_value == NULL ? 0 : job_variables(job, variables);
    doc_because(stack->doc, job->launcher == LAUNCHER_NONE ? job->nodes->origin : job->launcher_value->origin);
    for (int i = 0; i < count; i++) {
        DocNode *variable = tree_add_map(stack->doc, list);
        tree_put_text(stack->doc, variable, "Name", WHY_ENVIRONMENT_VARIABLE, variables[i].name);
        tree_put_text(stack->doc, variable, "Value", variables[i].why, variables[i].value);
    }
    doc_unbecause(stack->doc);
}

static void add_environment(Stack *stack, DocNode *container, const PlanJob *job) {
    DocNode *list = doc_list(stack->doc);
    add_variables(stack, list, job);
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        if (entry->value->kind == VALUE_NULL) {
            continue;
        }
        bool is_optional = value_may_be_null(entry->value);
        const Condition *given = is_optional ? condition_given(stack, entry->value) : NULL;
        DocNode *variable = doc_map(stack->doc);
        tree_put(stack->doc, variable, "Name",
                 doc_string(stack->doc, entry->key, origin_span(stack->arena, entry->key_span)));
        tree_put(stack->doc, variable, "Value",
                 is_optional ? template_given_value(stack, entry->value) : template_text(stack, entry->value));
        doc_add(stack->doc, list,
                is_optional ? condition_if(stack, given, variable, intrinsic_no_value(stack)) : variable);
    }
    if (doc_count(list) > 0) {
        tree_put(stack->doc, container, "Environment", list);
    }
}

// NULL: the image's own. A first job starts mpirun by itself.
static DocNode *command_of(Stack *stack, const PlanJob *job) {
    switch (job->container->object.len > 0 ? LAUNCHER_NONE : job->launcher) {
    case LAUNCHER_MPIRUN:
        return mpirun_command(stack, job);
    case LAUNCHER_TORCHRUN:
        return torchrun_command(stack, job);
    case LAUNCHER_NONE:
    case LAUNCHER_SRUN: // Slurm's alone
        break;
    }
    DocNode *list = job->command == NULL ? NULL : template_list(stack, job->command);
    if (list == NULL || job->precompile == NULL || !job->precompile->boolean) {
        return list;
    }
    JobWords words = { 0 };
    DocNode *under = doc_list(stack->doc);
    job_add_precompile(stack->arena, &words, job);
    job_add_command(stack->arena, &words, job);
    launcher_add_words(stack, under, &words);
    return under;
}

typedef struct {
    DocNode *job;  // that its containers have; NULL: none
    Str execution; // the id of the one with which its secrets are read
} Roles;

static void fill_container(Stack *stack, DocNode *container, const PlanJob *job, Roles roles) {
    tree_put(stack->doc, container, "Image",
             job->image != NULL ? import_image(stack, job->image) : template_value(stack, job->image_uri));
    tree_put(stack->doc, container, "Command", command_of(stack, job));
    add_resources(stack, container, job);
    add_environment(stack, container, job);
    job_secrets_put(stack, container, job, roles.execution);
    tree_put(stack->doc, container, "JobRoleArn", roles.job);
    tree_put(stack->doc, container, "User", template_value(stack, job->container->user));
    if (wants_ulimits(job)) {
        add_ulimits(stack, container);
    }
    add_linux_parameters(stack, container, job);
    batch_add_volumes(stack, container, job);
}

static bool has_type(const PlanNodes *nodes, const InstanceRow *row) {
    bool has = false;
    for (uint32_t i = 0; i < nodes->types.count && !has; i++) {
        has = nodes->types.items[i].row == row;
    }
    return has;
}

// `dtc lint` asks whoever reads the file alone, where all nodes of the type go without. Of types that are made for EFA it
// is the author's `allow` that says it.
static bool has_no_efa_by_choice(const PlanJob *job) {
    const InstanceRow *row = job->group->instance;
    bool is = row->accelerator != ACCELERATOR_NONE && row->efa_max > 0 && !nics_efa_is_default(row) &&
              subject_value(job->group->head.subject, NODES_EFA) != NULL;
    for (uint32_t i = 0; i < job->cluster->nodes.count && is; i++) {
        const PlanNodes *nodes = job->cluster->nodes.items[i];
        is = !has_type(nodes, row) || nodes->fabric.efa_count == 0;
    }
    return is;
}

static void add_nodes(Stack *stack, DocNode *definition, const PlanJob *job, Roles roles) {
    DocNode *properties = tree_put_map(stack->doc, definition, "NodeProperties");
    tree_put(stack->doc, properties, "MainNode", tree_number(stack->doc, WHY_BATCH_JOB_NODES, 0));
    tree_put(stack->doc, properties, "NumNodes", template_value(stack, job->nodes));
    if (has_no_efa_by_choice(job)) {
        doc_get(properties, STR("NumNodes"))->comment = "dtc-allow: DT1339 the source gives its nodes no EFA";
    }
    DocNode *range = tree_add_map(stack->doc, tree_put_list(stack->doc, properties, "NodeRangeProperties"));
    tree_put_text(stack->doc, range, "TargetNodes", WHY_BATCH_JOB_NODES, "0:");
    DocNode *container = tree_put_map(stack->doc, range, "Container");
    tree_put(stack->doc, container, "InstanceType", template_value(stack, job->group->instance_value));
    fill_container(stack, container, job, roles);
}

// One condition of when a job starts again, and what is done then.
static void add_condition(Stack *stack, DocNode *list, Why reason, const char *key, const char *pattern,
                          const char *action) {
    DocNode *condition = tree_add_map(stack->doc, list);
    tree_put_text(stack->doc, condition, key, reason, pattern);
    tree_put_text(stack->doc, condition, "Action", reason, action);
}

// Batch starts a job once where nothing is said. What no condition is about it starts again.
static void add_attempts(Stack *stack, DocNode *definition, const PlanJob *job) {
    if (job->attempts->kind == VALUE_INT && job->attempts->integer == 1) {
        return;
    }
    DocNode *strategy = tree_put_map(stack->doc, definition, "RetryStrategy");
    tree_put(stack->doc, strategy, "Attempts", template_value(stack, job->attempts));
    if (job->container->object.len > 0) { // a first job: a leader that was not reached may only have been late
        DocNode *list = tree_put_list(stack->doc, strategy, "EvaluateOnExit");
        const Str lost = str_format(stack->arena, "%d", NODE_EXIT_LOST);
        add_condition(stack, list, WHY_BATCH_FIRST_JOB_RETRY, "OnExitCode", str_c(stack->arena, lost), "RETRY");
        add_condition(stack, list, WHY_BATCH_FIRST_JOB_RETRY, "OnReason", "*", "EXIT");
    } else if (job->node_loss != NULL) {
        doc_because(stack->doc, job->node_loss->origin);
        DocNode *list = tree_put_list(stack->doc, strategy, "EvaluateOnExit");
        add_condition(stack, list, WHY_BATCH_NODE_LOSS, "OnStatusReason", "Host EC2*", "RETRY");
        add_condition(stack, list, WHY_BATCH_NODE_LOSS, "OnReason", "*", "EXIT");
        doc_unbecause(stack->doc);
    }
}

static void add_timeout(Stack *stack, DocNode *definition, const PlanJob *job) {
    const Value *timeout = job->timeout;
    if (timeout == NULL || timeout->kind == VALUE_NULL) {
        return;
    }
    int64_t seconds = timeout->integer / MILLISECONDS;
    DocNode *node = doc_int(stack->doc, seconds, timeout->origin);
    tree_put(stack->doc, tree_put_map(stack->doc, definition, "Timeout"), "AttemptDurationSeconds", node);
}

static DocNode *job_role(Stack *stack, const PlanJob *job) {
    if (job->access != NULL && job->access->role != NULL) {
        return template_value(stack, job->access->role);
    }
    const PlanAccess *access = job->access;
    const bool is_allowed_more =
        access != NULL && access->policies->list.count + access->reads.count + access->writes.count > 0;
    const bool has_role = is_allowed_more || plan_job_has_ssh_key(job) || job->container->object.len > 0;
    return has_role ? intrinsic_get_att(stack, job_role_add(stack, job), "Arn") : NULL;
}

void batch_add_job_definition(Stack *stack, const PlanJob *job) {
    const Roles roles = { .job = job_role(stack, job), .execution = job_secrets_role(stack, job) };
    DocNode *definition = stack_resource(stack, (StackResource){
                                                    .id = stack_id(stack, job->head.id, STR_NONE, "JobDefinition"),
                                                    .type = "AWS::Batch::JobDefinition",
                                                });
    const bool is_container = !plan_job_is_multi_node(job);
    doc_because(stack->doc, job->nodes->origin);
    tree_put_text(stack->doc, definition, "Type", WHY_BATCH_JOB_TYPE, is_container ? "container" : "multinode");
    if (is_container) {
        fill_container(stack, tree_put_map(stack->doc, definition, "ContainerProperties"), job, roles);
    } else {
        add_nodes(stack, definition, job, roles);
    }
    doc_unbecause(stack->doc);
    add_attempts(stack, definition, job);
    add_timeout(stack, definition, job);
    tree_put(stack->doc, definition, "PropagateTags", tree_bool(stack->doc, WHY_BATCH_JOB_TAGS, true));
    tree_put(stack->doc, definition, "Tags", tags_map(stack, (Tags){ .inner = job->cluster->tags }));
    limits_check_definition(stack, job, definition);
}
