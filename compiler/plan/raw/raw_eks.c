// Managed groups of EKS: which launch templates they use.
#include "compiler/plan/raw/raw.h"

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
        group->market = template->market;
        group->type = template->instance_type;
        group->profile = template->profile;
        group->subnet = template->subnet;
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
}

void raw_add_managed_groups(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::EKS::Nodegroup") && !resource->is_changed) {
            add_group(stack, resource);
        }
    }
}
