// Reads controllers of AWS PCS out of raw resources, with the groups of nodes that each manages.
#include "compiler/plan/raw/raw.h"

#include "compiler/plan/model/pcs.h"

// A stack refers to the cluster; a request of the AWS CLI says its name.
typedef struct {
    StrMap by_id;
    StrMap by_name;
} Controllers;

static PlanPcsController *controller_of(const Controllers *controllers, const PlanField *cluster) {
    return cluster->resource != NULL       ? str_map_get_mutable(&controllers->by_id, cluster->resource->id)
           : cluster->state == FIELD_KNOWN ? str_map_get_mutable(&controllers->by_name, cluster->text)
                                           : NULL;
}

static void add_group(const RawStack *stack, const Controllers *controllers, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap scaling = raw_map(&properties, "ScalingConfiguration");
    const PlanField cluster = raw_field(stack, &properties, "ClusterId");
    PlanPcsController *controller = controller_of(controllers, &cluster);
    if (controller != NULL) {
        const PlanPcsGroup group = { .span = resource->span, .most = raw_field(stack, &scaling, "MaxInstanceCount") };
        vec_push(stack->arena, &controller->groups, group);
    }
}

static void add_controller(RawStack *stack, Controllers *controllers, const RawResource *resource) {
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
    str_map_add(&controllers->by_id, resource->id, controller);
    if (name.state == FIELD_KNOWN) {
        str_map_add(&controllers->by_name, name.text, controller);
    }
    vec_push(stack->arena, &stack->parts.controllers, (const PlanPcsController *)controller);
}

void raw_add_controllers(RawStack *stack) {
    Controllers controllers = { .by_id = { .arena = stack->arena }, .by_name = { .arena = stack->arena } };
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::PCS::Cluster") && !resource->is_changed) {
            add_controller(stack, &controllers, resource);
        }
    }
    for (uint32_t i = 0; stack->parts.controllers.count > 0 && i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::PCS::ComputeNodeGroup") && !resource->is_changed) {
            add_group(stack, &controllers, resource);
        }
    }
}
