// What a managed group of EKS says in words of its own.
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

const PlanManagedGroup *raw_managed_group(RawStack *stack, const RawMap *properties, const RawMap *launch,
                                          RawTemplate *template) {
    PlanManagedGroup *group = arena_new(stack->arena, PlanManagedGroup);
    *group = (PlanManagedGroup){
        .capacity = raw_field(stack, properties, "CapacityType"),
        .types = raw_fields(stack, properties, "InstanceTypes"),
        .image = raw_field(stack, properties, "AmiType"),
        .version = version_of(stack, properties),
        .disk = raw_field(stack, properties, "DiskSize"),
        .remote = raw_presence(properties, "RemoteAccess"),
        .template_key = launch->state == FIELD_KNOWN ? launch->key : SPAN_NONE,
        .has_launch = template != NULL,
    };
    if (template != NULL) {
        group->market = template->market;
        group->type = template->instance_type;
        group->profile = template->profile;
        group->subnet = template->subnet;
        template->launch->managed_key = launch->key;
    }
    return group;
}
