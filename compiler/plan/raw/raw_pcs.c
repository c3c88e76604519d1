// Reads controllers of AWS PCS out of raw resources, with the groups of nodes that each manages.
#include "compiler/plan/raw/raw.h"

#include "compiler/plan/model/pcs.h"

// A stack refers to the cluster; a request of the AWS CLI says its name.
static bool is_of(const PlanField *cluster, const RawResource *resource, const PlanField *name) {
    return cluster->resource == resource ||
           (cluster->state == FIELD_KNOWN && name->state == FIELD_KNOWN && str_equal(cluster->text, name->text));
}

static void add_groups(const RawStack *stack, const RawResource *cluster, const PlanField *name,
                       PlanPcsController *controller) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (!str_is(resource->type, "AWS::PCS::ComputeNodeGroup") || resource->is_changed) {
            continue;
        }
        const RawMap properties = raw_properties(resource);
        const RawMap scaling = raw_map(&properties, "ScalingConfiguration");
        const PlanField id = raw_field(stack, &properties, "ClusterId");
        if (is_of(&id, cluster, name)) {
            const PlanPcsGroup group = { .span = resource->span,
                                         .most = raw_field(stack, &scaling, "MaxInstanceCount") };
            vec_push(stack->arena, &controller->groups, group);
        }
    }
}

static void add_controller(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap scheduler = raw_map(&properties, "Scheduler");
    const PlanField name = raw_field(stack, &properties, "Name");
    PlanPcsController *controller = arena_new(stack->arena, PlanPcsController);
    *controller = (PlanPcsController){ .form = FORM_RESOURCE,
                                       .subject = resource->subject,
                                       .name = resource->name,
                                       .name_span = resource->span,
                                       .version = raw_field(stack, &scheduler, "Version"),
                                       .size = raw_field(stack, &properties, "Size") };
    for (PcsSize size = PCS_SMALL; size <= PCS_LARGE; size++) {
        if (field_is(&controller->size, plan_pcs_size(size)->name)) {
            controller->knows_size = true;
            controller->manages = size;
        }
    }
    add_groups(stack, resource, &name, controller);
    vec_push(stack->arena, &stack->parts.controllers, (const PlanPcsController *)controller);
}

void raw_add_controllers(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::PCS::Cluster") && !resource->is_changed) {
            add_controller(stack, resource);
        }
    }
}
