// Managed groups of EKS: which launch templates they use, and which nodes pods find there.
#include "compiler/plan/raw/raw.h"

// A type stands in the group, or in its launch template.
static void read_types(const RawStack *stack, const RawMap *properties, const RawTemplate *template, PlanOffer *offer) {
    const PlanFields listed = raw_fields(stack, properties, "InstanceTypes");
    const bool is_own = listed.state == FIELD_ABSENT && template != NULL;
    const PlanFields own = { .state = FIELD_KNOWN, .items = is_own ? &template->instance_type : NULL, .count = 1 };
    const PlanFields *types = is_own ? &own : &listed;
    offer->has_other_types = types->state != FIELD_KNOWN;
    for (uint32_t i = 0; i < types->count; i++) {
        const InstanceRow *row = raw_type(stack, &types->items[i]);
        offer->has_other_types = offer->has_other_types || row == NULL;
        if (row != NULL) {
            vec_push(stack->arena, &offer->types, ((PlanType){ .row = row, .field = types->items[i] }));
        }
    }
}

static void add_offer(RawStack *stack, const RawResource *resource, const RawMap *properties,
                      const RawTemplate *template) {
    const RawMap scaling = raw_map(properties, "ScalingConfig");
    const PlanField name = raw_field(stack, properties, "NodegroupName");
    const PlanField cluster = raw_field(stack, properties, "ClusterName");
    Span key = SPAN_NONE;
    PlanOffer *offer = arena_new(stack->arena, PlanOffer);
    *offer = (PlanOffer){ .name = name.state == FIELD_KNOWN ? name.text : resource->id,
                          .cluster = cluster.state == FIELD_KNOWN ? cluster.text : STR("the cluster"),
                          .span = resource->span,
                          .most = raw_field(stack, &scaling, "MaxSize"),
                          .labels = raw_value(properties, "Labels", &key),
                          .taints = raw_value(properties, "Taints", &key) };
    read_types(stack, properties, template, offer);
    vec_push(stack->arena, &stack->parts.offers, (const PlanOffer *)offer);
}

// A managed group takes the types that it lists itself, and EKS lets only one of the two list some.
static void add_types(const RawStack *stack, const PlanFields *types, RawTemplate *template) {
    if (template->instance_type.state != FIELD_ABSENT) {
        return;
    }
    template->has_late_types = template->has_late_types || types->state == FIELD_LATE;
    for (uint32_t i = 0; i < types->count; i++) {
        vec_push(stack->arena, &template->group_types, types->items[i]);
    }
}

// A group without a version has that of its cluster.
static PlanField version_of(const RawStack *stack, const RawMap *properties) {
    const PlanField own = raw_field(stack, properties, "Version");
    const PlanField id = raw_field(stack, properties, "ClusterName");
    for (uint32_t i = 0; i < stack->resources.count && own.state == FIELD_ABSENT; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (!str_is(resource->type, "AWS::EKS::Cluster") || resource->is_changed) {
            continue;
        }
        const RawMap cluster = raw_properties(resource);
        const PlanField name = raw_field(stack, &cluster, "Name");
        const bool is_named = id.state == FIELD_KNOWN && name.state == FIELD_KNOWN && str_equal(id.text, name.text);
        if (is_named || raw_refers(&id, resource)) {
            return raw_field(stack, &cluster, "Version");
        }
    }
    return own;
}

static bool is_in_cluster_group(const PlanLaunch *launch) {
    for (uint32_t i = 0; i < launch->placement_groups.count; i++) {
        if (launch->placement_groups.items[i].is_cluster) {
            return true;
        }
    }
    return false;
}

static void add_managed_group(RawStack *stack, const RawResource *resource, const RawMap *properties,
                              const RawMap *launch, RawTemplate *template) {
    const RawMap scaling = raw_map(properties, "ScalingConfig");
    PlanManagedGroup *group = arena_new(stack->arena, PlanManagedGroup);
    *group = (PlanManagedGroup){
        .subject = resource->subject,
        .name = resource->name,
        .span = resource->span,
        .most = raw_field(stack, &scaling, "MaxSize"),
        .capacity = raw_field(stack, properties, "CapacityType"),
        .types = raw_fields(stack, properties, "InstanceTypes"),
        .image = raw_field(stack, properties, "AmiType"),
        .version = version_of(stack, properties),
        .disk = raw_field(stack, properties, "DiskSize"),
        .remote = raw_presence(properties, "RemoteAccess"),
        .template_key = launch->state == FIELD_KNOWN ? launch->key : SPAN_NONE,
    };
    if (template != NULL) {
        group->launch = template->launch;
        group->wants_one_zone = launch_has_efa(template->launch) || is_in_cluster_group(template->launch);
        group->market = template->market;
        group->type = template->instance_type;
        group->profile = template->profile;
        group->subnet = template->subnet;
        add_types(stack, &group->types, template);
    }
    group->subnets = raw_subnets(stack, properties);
    vec_push(stack->arena, &stack->parts.managed_groups, (const PlanManagedGroup *)group);
}

static void add_group(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap launch = raw_map(&properties, "LaunchTemplate");
    const PlanField id = raw_either(stack, &launch, "Id", "Name");
    RawTemplate *template = raw_find_template(stack, &id);
    if (template != NULL) {
        template->launch->managed_key = launch.key;
    }
    add_managed_group(stack, resource, &properties, &launch, template);
    add_offer(stack, resource, &properties, template);
}

// An override may say something else in the place of a type.
static void add_types_in(const RawStack *stack, const RawMap *in, const char *list, const PlanField *id) {
    RawTemplate *template = raw_find_template(stack, id);
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps maps = raw_maps(stack, in, list, &state, &key);
    for (uint32_t i = 0; template != NULL && i < maps.count; i++) {
        const PlanField type = raw_field(stack, &maps.items[i], "InstanceType");
        if (type.state != FIELD_ABSENT) {
            vec_push(stack->arena, &template->group_types, type);
        } else {
            template->has_late_types = true;
        }
    }
}

// The types that others launch a template as.
static void add_other_users(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    if (str_is(resource->type, "AWS::AutoScaling::AutoScalingGroup")) {
        const RawMap policy = raw_map(&properties, "MixedInstancesPolicy");
        const RawMap launch = raw_map(&policy, "LaunchTemplate");
        const RawMap specification = raw_map(&launch, "LaunchTemplateSpecification");
        const PlanField id = raw_either(stack, &specification, "LaunchTemplateId", "LaunchTemplateName");
        add_types_in(stack, &launch, "Overrides", &id);
    } else if (str_is(resource->type, "AWS::EC2::EC2Fleet")) {
        FieldState state = FIELD_ABSENT;
        Span key = SPAN_NONE;
        const RawMaps configs = raw_maps(stack, &properties, "LaunchTemplateConfigs", &state, &key);
        for (uint32_t i = 0; i < configs.count; i++) {
            const RawMap specification = raw_map(&configs.items[i], "LaunchTemplateSpecification");
            const PlanField id = raw_either(stack, &specification, "LaunchTemplateId", "LaunchTemplateName");
            add_types_in(stack, &configs.items[i], "Overrides", &id);
        }
    } else if (str_is(resource->type, "AWS::EC2::Instance")) {
        const RawMap launch = raw_map(&properties, "LaunchTemplate");
        const PlanField id = raw_either(stack, &launch, "LaunchTemplateId", "LaunchTemplateName");
        RawTemplate *template = raw_find_template(stack, &id);
        const PlanField type = raw_field(stack, &properties, "InstanceType");
        if (template != NULL && type.state != FIELD_ABSENT) {
            vec_push(stack->arena, &template->group_types, type);
        }
    }
}

void raw_add_managed_groups(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        if (!stack->resources.items[i]->is_changed) {
            add_other_users(stack, stack->resources.items[i]);
        }
    }
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::EKS::Nodegroup") && !resource->is_changed) {
            add_group(stack, resource);
        }
    }
}
