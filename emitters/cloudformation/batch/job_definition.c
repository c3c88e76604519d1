// Job definitions: a container for a job of one node, a multi-node parallel job for more. All nodes of the latter are
// alike, so there is one range. Batch runs such a job on nodes of its own, with one container each, and refuses Spot
// for it (https://docs.aws.amazon.com/batch/latest/userguide/mnp-ce.html, 2026-11). The plan's rules check this.
#include "emitters/cloudformation/batch/batch.h"

#include "emitters/cloudformation/template/condition.h"
#include "emitters/cloudformation/access/iam.h"
#include "emitters/cloudformation/template/late_node.h"
#include "emitters/cloudformation/template/limits.h"
#include "emitters/cloudformation/batch/mpirun.h"
#include "emitters/cloudformation/template/template_node.h"
#include "emitters/cloudformation/template/import.h"
#include "emitters/cloudformation/access/ssh_key.h"
#include "emitters/cloudformation/template/tags.h"
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
    DocNode *entry = node_add_map(stack, list);
    node_put_text(stack, entry, "Type", WHY_BATCH_RESOURCES, type);
    node_put(stack, entry, "Value", value);
}

static DocNode *number_text(Stack *stack, const Value *value, int64_t number) {
    return doc_string(stack->doc, str_format(stack->arena, "%" PRId64, number), value->origin);
}

static void add_resources(Stack *stack, DocNode *container, const PlanJob *job) {
    DocNode *list = node_put_list(stack, container, "ResourceRequirements");
    bool is_known = job->container->vcpus->kind == VALUE_INT;
    add_resource(stack, list, "VCPU",
                 is_known ? number_text(stack, job->container->vcpus, job->container->vcpus->integer)
                          : late_node(stack, job->container->vcpus));
    add_resource(stack, list, "MEMORY", number_text(stack, job->memory, job->memory->integer / MIB));
    if (job->container->gpus != NULL && job->container->gpus->kind == VALUE_INT && job->container->gpus->integer > 0) {
        add_resource(stack, list, "GPU", number_text(stack, job->container->gpus, job->container->gpus->integer));
    }
}

static void add_ulimits(Stack *stack, DocNode *container) {
    DocNode *list = node_put_list(stack, container, "Ulimits");
    for (size_t i = 0; i < COUNT_OF(ULIMIT_ROWS); i++) {
        DocNode *entry = node_add_map(stack, list);
        node_put_text(stack, entry, "Name", WHY_BATCH_ULIMITS, ULIMIT_ROWS[i].name);
        int64_t limit = schema_constant(ULIMIT_ROWS[i].limit);
        node_put(stack, entry, "SoftLimit", node_number(stack, WHY_BATCH_ULIMITS, limit));
        node_put(stack, entry, "HardLimit", node_number(stack, WHY_BATCH_ULIMITS, limit));
    }
}

// By default a device has the same path in the container and all three permissions (AWS Batch API Reference, Device,
// 2026-11). 32 devices are most of a definition.
static void add_devices(Stack *stack, DocNode *devices, const char *prefix, int count, Why reason) {
    for (int i = 0; i < count; i++) {
        Str path = str_format(stack->arena, "%s%d", prefix, i);
        node_put(stack, node_add_map(stack, devices), "HostPath", node_string(stack, reason, path));
    }
}

static void add_linux_parameters(Stack *stack, DocNode *container, const PlanJob *job) {
    DocNode *parameters = doc_map(stack->doc);
    if (job->container->shm != NULL && job->container->shm->kind == VALUE_SIZE) {
        int64_t size = job->container->shm->integer / MIB;
        node_put(stack, parameters, "SharedMemorySize", doc_int(stack->doc, size, job->container->shm->origin));
    }
    const InstanceRow *instance = job->group->instance;
    int neuron = instance->accelerator == ACCELERATOR_NEURON ? instance->accelerators : 0;
    if (job->container->efa_devices > 0 || neuron > 0) {
        DocNode *devices = node_put_list(stack, parameters, "Devices");
        doc_because(stack->doc, job->group->fabric.origin);
        add_devices(stack, devices, "/dev/infiniband/uverbs", job->container->efa_devices, WHY_BATCH_EFA_DEVICES);
        doc_unbecause(stack->doc);
        doc_because(stack->doc, job->group->instance_value->origin);
        add_devices(stack, devices, "/dev/neuron", neuron, WHY_BATCH_NEURON_DEVICES);
        doc_unbecause(stack->doc);
    }
    if (doc_count(parameters) > 0) {
        node_put(stack, container, "LinuxParameters", parameters);
    }
}

static void add_environment(Stack *stack, DocNode *container, const PlanJob *job) {
    DocNode *list = doc_list(stack->doc);
    if (job->launcher == LAUNCHER_MPIRUN) {
        mpirun_add_environment(stack, list, job);
    }
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        if (entry->value->kind == VALUE_NULL) {
            continue;
        }
        bool is_optional = value_may_be_null(entry->value);
        const Condition *given = is_optional ? condition_given(stack, entry->value) : NULL;
        DocNode *variable = doc_map(stack->doc);
        node_put(stack, variable, "Name",
                 doc_string(stack->doc, entry->key, origin_span(stack->arena, entry->key_span)));
        node_put(stack, variable, "Value",
                 is_optional ? late_given_node(stack, entry->value) : late_text(stack, entry->value));
        doc_add(stack->doc, list, is_optional ? condition_if(stack, given, variable, node_no_value(stack)) : variable);
    }
    if (doc_count(list) > 0) {
        node_put(stack, container, "Environment", list);
    }
}

static void fill_container(Stack *stack, DocNode *container, const PlanJob *job, DocNode *role) {
    node_put(stack, container, "Image",
             job->image != NULL ? import_image(stack, job->image) : late_node(stack, job->image_uri));
    if (job->launcher == LAUNCHER_MPIRUN) {
        node_put(stack, container, "Command", mpirun_command(stack, job));
    } else if (job->command != NULL) {
        node_put(stack, container, "Command", late_list(stack, job->command));
    }
    add_resources(stack, container, job);
    add_environment(stack, container, job);
    node_put(stack, container, "JobRoleArn", role);
    if (job->container->user != NULL) {
        node_put(stack, container, "User", late_node(stack, job->container->user));
    }
    add_ulimits(stack, container);
    add_linux_parameters(stack, container, job);
    batch_add_scratch_mount(stack, container, job->group);
}

static void add_nodes(Stack *stack, DocNode *definition, const PlanJob *job, DocNode *role) {
    DocNode *properties = node_put_map(stack, definition, "NodeProperties");
    node_put(stack, properties, "MainNode", node_number(stack, WHY_BATCH_JOB_NODES, 0));
    node_put(stack, properties, "NumNodes", late_node(stack, job->nodes));
    DocNode *range = node_add_map(stack, node_put_list(stack, properties, "NodeRangeProperties"));
    node_put_text(stack, range, "TargetNodes", WHY_BATCH_JOB_NODES, "0:");
    DocNode *container = node_put_map(stack, range, "Container");
    node_put(stack, container, "InstanceType", late_node(stack, job->group->instance_value));
    fill_container(stack, container, job, role);
}

// Batch starts a job once where nothing is said.
static void add_attempts(Stack *stack, DocNode *definition, const PlanJob *job) {
    if (job->attempts->kind == VALUE_INT && job->attempts->integer == 1) {
        return;
    }
    DocNode *strategy = node_put_map(stack, definition, "RetryStrategy");
    node_put(stack, strategy, "Attempts", late_node(stack, job->attempts));
    if (job->container->object.len > 0) { // a first job: a leader that was not reached may only have been late
        DocNode *list = node_put_list(stack, strategy, "EvaluateOnExit");
        DocNode *late = node_add_map(stack, list);
        const Str lost = str_format(stack->arena, "%d", NODE_EXIT_LOST);
        node_put(stack, late, "OnExitCode", node_string(stack, WHY_BATCH_FIRST_JOB_RETRY, lost));
        node_put_text(stack, late, "Action", WHY_BATCH_FIRST_JOB_RETRY, "RETRY");
        DocNode *other = node_add_map(stack, list);
        node_put_text(stack, other, "OnReason", WHY_BATCH_FIRST_JOB_RETRY, "*");
        node_put_text(stack, other, "Action", WHY_BATCH_FIRST_JOB_RETRY, "EXIT");
    }
}

static void add_timeout(Stack *stack, DocNode *definition, const PlanJob *job) {
    const Value *timeout = job->timeout;
    if (timeout == NULL || timeout->kind == VALUE_NULL) {
        return;
    }
    int64_t seconds = timeout->integer / MILLISECONDS;
    DocNode *node = doc_int(stack->doc, seconds, timeout->origin);
    node_put(stack, node_put_map(stack, definition, "Timeout"), "AttemptDurationSeconds", node);
}

static DocNode *job_role(Stack *stack, const PlanJob *job) {
    bool has_policies = job->container->policies != NULL && job->container->policies->kind == VALUE_LIST &&
                        job->container->policies->list.count > 0;
    const bool has_role = has_policies || ssh_key_is_used(job) || job->container->object.len > 0;
    return has_role ? node_attribute(stack, iam_job_role(stack, job), "Arn") : NULL;
}

void batch_add_job_definition(Stack *stack, const PlanJob *job) {
    DocNode *role = job_role(stack, job);
    DocNode *definition = stack_resource(stack, (StackResource){
                                                    .id = stack_id(stack, job->head.id, STR_NONE, "JobDefinition"),
                                                    .type = "AWS::Batch::JobDefinition",
                                                });
    bool is_container = job->nodes->kind == VALUE_INT && job->nodes->integer == 1;
    doc_because(stack->doc, job->nodes->origin);
    node_put_text(stack, definition, "Type", WHY_BATCH_JOB_TYPE, is_container ? "container" : "multinode");
    if (is_container) {
        fill_container(stack, node_put_map(stack, definition, "ContainerProperties"), job, role);
    } else {
        add_nodes(stack, definition, job, role);
    }
    doc_unbecause(stack->doc);
    add_attempts(stack, definition, job);
    add_timeout(stack, definition, job);
    node_put(stack, definition, "PropagateTags", node_bool(stack, WHY_BATCH_JOB_TAGS, true));
    node_put(stack, definition, "Tags", tags_map(stack, (Tags){ .inner = job->cluster->tags }));
    limits_check_definition(stack, job, definition);
}
