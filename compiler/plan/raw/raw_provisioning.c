// From provisioning_parameters.json to what rules ask, and the HyperPod cluster of the same stack that it is for.
// source: Amazon SageMaker AI Developer Guide, Configuration form for provisioning Slurm nodes on HyperPod;
// awslabs/awsome-distributed-ai 1.architectures/5.sagemaker-hyperpod, lifecycle_script.py and validate-config.py, read 2026-11
#include "compiler/plan/raw/raw.h"

#include "compiler/plan/model/provisioning.h"

// Names of instance groups that are known: of both lists, as long as each is a text.
static bool add_names(const RawStack *stack, const RawMap *cluster, const char *list, PlanProvisioning *provisioning) {
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps groups = raw_maps(stack, cluster, list, &state, &key);
    bool are_known = state != FIELD_LATE;
    for (uint32_t i = 0; i < groups.count; i++) {
        const PlanField name = raw_field(stack, &groups.items[i], "InstanceGroupName");
        are_known = are_known && name.state == FIELD_KNOWN && !str_has(name.text, "$");
        vec_push(stack->arena, &provisioning->instance_groups, name);
    }
    return are_known;
}

// Lifecycle scripts read the file on clusters of Slurm.
static bool is_of_slurm(const RawResource *resource) {
    Span key = SPAN_NONE;
    const RawMap cluster = raw_properties(resource);
    const RawMap orchestrator = raw_map(&cluster, "Orchestrator");
    return raw_value(&orchestrator, "Eks", &key) == NULL;
}

// The only cluster of Slurm in the stack: beside several nobody knows whose the file is.
static void find_cluster(const RawStack *stack, PlanProvisioning *provisioning) {
    const RawResource *found = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::SageMaker::Cluster") && !resource->is_changed && is_of_slurm(resource)) {
            found = resource;
            count++;
        }
    }
    if (count != 1) {
        return;
    }
    const RawMap cluster = raw_properties(found);
    const bool are_known = add_names(stack, &cluster, "InstanceGroups", provisioning);
    if (add_names(stack, &cluster, "RestrictedInstanceGroups", provisioning) && are_known) {
        provisioning->cluster = found->name;
    }
}

static void add_provisioning(RawStack *stack, const RawResource *resource) {
    const RawMap file = raw_properties(resource);
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    PlanProvisioning *provisioning = arena_new(stack->arena, PlanProvisioning);
    *provisioning = (PlanProvisioning){ .subject = resource->subject,
                                        .span = resource->span,
                                        .keys = resource->properties,
                                        .key_count = resource->property_count,
                                        .controller = raw_field(stack, &file, "controller_group"),
                                        .login = raw_field(stack, &file, "login_group"),
                                        .lustre = raw_field(stack, &file, "fsx_dns_name"),
                                        .mount_name = raw_field(stack, &file, "fsx_mountname") };
    const RawMaps groups = raw_maps(stack, &file, "worker_groups", &state, &key);
    for (uint32_t i = 0; i < groups.count; i++) {
        const RawMap *group = &groups.items[i];
        vec_push(stack->arena, &provisioning->groups,
                 ((PlanProvisionedWorkers){ .group = raw_field(stack, group, "instance_group_name"),
                                            .partition = raw_field(stack, group, "partition_name"),
                                            .span = group->span }));
    }
    find_cluster(stack, provisioning);
    vec_push(stack->arena, &stack->parts.provisionings, (const PlanProvisioning *)provisioning);
}

void raw_add_provisionings(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        if (str_is(stack->resources.items[i]->type, "HyperPod::Slurm::ProvisioningParameters")) {
            add_provisioning(stack, stack->resources.items[i]);
        }
    }
}
