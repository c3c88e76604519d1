// Managed groups of EKS: which launch templates they use.
#include "compiler/plan/raw/raw.h"

static void add_group(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap launch = raw_map(&properties, "LaunchTemplate");
    const PlanField id = raw_either(stack, &launch, "Id", "Name");
    RawTemplate *template = raw_find_template(stack, &id);
    if (template != NULL) {
        template->launch->managed_key = launch.key;
    }
}

void raw_add_managed_groups(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::EKS::Nodegroup") && !resource->is_changed) {
            add_group(stack, resource);
        }
    }
}
