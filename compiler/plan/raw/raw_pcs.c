// Compute node groups of AWS PCS: which launch templates they use, and with which types.
#include "compiler/plan/raw/raw.h"

#include "schema/schema.h"

// Types of the group go before the one of the template, which AWS PCS ignores where there is no Capacity Block (AWS PCS
// User Guide, Overview of launch templates, 2026-11).
static void add_types(const RawStack *stack, const RawMap *properties, RawTemplate *template) {
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps configs = raw_maps(stack, properties, "InstanceConfigs", &state, &key);
    template->has_late_types = template->has_late_types || state == FIELD_LATE;
    for (uint32_t i = 0; i < configs.count; i++) {
        vec_push(stack->arena, &template->group_types, raw_field(stack, &configs.items[i], "InstanceType"));
    }
}

static void add_group(const RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap custom = raw_map(&properties, "CustomLaunchTemplate");
    const PlanField id = raw_field(stack, &custom, "TemplateId");
    RawTemplate *template = raw_find_template(stack, &id);
    if (template != NULL) {
        template->launch->target = schema_target_name(TARGET_PCS);
        template->launch->target_key = custom.key;
        add_types(stack, &properties, template);
    }
}

void raw_add_compute_node_groups(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::PCS::ComputeNodeGroup") && !resource->is_changed) {
            add_group(stack, resource);
        }
    }
}
