// Instance groups of SageMaker HyperPod. Their cluster says where all of them stand, and a group may say another place.
// SageMaker makes the interfaces, and types have `ml.` in front.
// source: Amazon SageMaker API Reference, CreateCluster, ClusterInstanceGroupSpecification, VpcConfig, read 2026-11
#include "compiler/plan/raw/raw.h"

#include "schema/instances.h"

typedef struct {
    RawStack *stack;
    const RawResource *resource;
    RawMap cluster;
    RawMap group;
} Reading;

// The row of a type as SageMaker calls it.
static const InstanceRow *row_of(const RawStack *stack, const PlanField *type) {
    const Str head = STR("ml.");
    const bool is_of_it = type->state == FIELD_KNOWN && str_starts_with(type->text, head);
    return is_of_it ? schema_instance(stack->session, str_slice(type->text, head.len, type->text.len)) : NULL;
}

// One type, or those that the group may take.
static void read_types(const Reading *reading, PlanLaunch *launch) {
    const RawStack *stack = reading->stack;
    const RawMap requirements = raw_map(&reading->group, "InstanceRequirements");
    PlanFields types = raw_fields(stack, &reading->group, "InstanceType");
    if (types.state == FIELD_ABSENT) {
        types = raw_fields(stack, &requirements, "InstanceTypes");
    }
    launch->has_other_types = types.state != FIELD_KNOWN;
    for (uint32_t i = 0; i < types.count; i++) {
        const InstanceRow *row = row_of(stack, &types.items[i]);
        launch->has_other_types = launch->has_other_types || row == NULL;
        if (row != NULL) {
            vec_push(stack->arena, &launch->types, ((PlanType){ .row = row, .field = types.items[i] }));
        }
    }
}

// `OverrideVpcConfig` of the group, else `VpcConfig` of the cluster.
static PlanFields read_place(const Reading *reading, const char *name) {
    const RawMap own = raw_map(&reading->group, "OverrideVpcConfig");
    const RawMap all = raw_map(&reading->cluster, "VpcConfig");
    return raw_fields(reading->stack, own.state == FIELD_ABSENT ? &all : &own, name);
}

// All interfaces of a node wear all of the groups: one that lets EFA pass is enough.
static void read_security_groups(const Reading *reading, PlanLaunch *launch) {
    const PlanFields groups = read_place(reading, "SecurityGroupIds");
    bool may_pass = groups.state != FIELD_KNOWN;
    for (uint32_t i = 0; i < groups.count; i++) {
        const PlanSecurityGroup *group = raw_security_group(reading->stack, &groups.items[i]);
        may_pass =
            may_pass || group == NULL || (group->allows_ingress != ANSWER_NO && group->allows_egress != ANSWER_NO);
    }
    for (uint32_t i = 0; launch->efa.is_wanted && !may_pass && i < groups.count; i++) {
        raw_add_efa_group(reading->stack, launch, &groups.items[i]);
    }
}

static const PlanLaunch *read_launch(const Reading *reading) {
    const RawStack *stack = reading->stack;
    const Subject *subject = reading->resource->subject;
    PlanLaunch *launch = arena_new(stack->arena, PlanLaunch);
    *launch = (PlanLaunch){ .form = FORM_RESOURCE,
                            .subject = subject,
                            .maker = subject,
                            .layout = LAYOUT_MIN_IP,
                            .efa = { .count = -1 },
                            .interfaces_state = FIELD_LATE, // SageMaker's own
                            .image = { .state = FIELD_LATE },
                            .tokens = { .state = FIELD_LATE },
                            .user_key = SPAN_NONE };
    read_types(reading, launch);
    const PlanType *type = types_for_efa(&launch->types, launch->has_other_types);
    launch->efa.is_wanted = type != NULL;
    read_security_groups(reading, launch);
    return launch;
}

static void read_pods(const Reading *reading, PlanGroup *group) {
    const RawMap kubernetes = raw_map(&reading->group, "KubernetesConfig");
    Span key = SPAN_NONE;
    group->cluster = STR("the cluster");
    group->span = reading->resource->span;
    group->labels = raw_value(&kubernetes, "Labels", &key);
    group->taints = raw_value(&kubernetes, "Taints", &key);
}

static void add_group(const Reading *reading) {
    RawStack *stack = reading->stack;
    const PlanLaunch *launch = read_launch(reading);
    vec_push(stack->arena, &stack->parts.launches, launch);
    PlanGroup *group = arena_new(stack->arena, PlanGroup);
    *group = group_of_launch(GROUP_HYPERPOD, launch);
    const PlanField name = raw_field(stack, &reading->group, "InstanceGroupName");
    const PlanFields subnets = read_place(reading, "Subnets");
    group->subject = reading->resource->subject;
    group->name = name.state == FIELD_KNOWN ? name.text : reading->resource->name;
    if (stack->parts.resources.count > 0) {
        group->region = stack->parts.resources.items[0]->region;
        group->region_span = stack->parts.resources.items[0]->region_span;
    }
    group->image = launch->image;
    group->low = raw_field(stack, &reading->group, "MinInstanceCount");
    group->most = raw_field(stack, &reading->group, "InstanceCount");
    group->subnets = raw_subnets(stack, &subnets);
    group->efa = (PlanField){ .state = FIELD_ABSENT };
    read_pods(reading, group);
    vec_push(stack->arena, &stack->parts.groups, (const PlanGroup *)group);
}

static void add_groups(RawStack *stack, const RawResource *resource, const char *list) {
    Reading reading = { .stack = stack, .resource = resource, .cluster = raw_properties(resource) };
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps groups = raw_maps(stack, &reading.cluster, list, &state, &key);
    for (uint32_t i = 0; i < groups.count; i++) {
        reading.group = groups.items[i];
        add_group(&reading);
    }
}

void raw_add_hyperpod_groups(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::SageMaker::Cluster") && !resource->is_changed) {
            add_groups(stack, resource, "InstanceGroups");
            add_groups(stack, resource, "RestrictedInstanceGroups");
        }
    }
}
