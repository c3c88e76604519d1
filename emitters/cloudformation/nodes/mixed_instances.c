#include "emitters/cloudformation/nodes/mixed_instances.h"

#include "emitters/cloudformation/nodes/capacity_chain.h"
#include "emitters/cloudformation/nodes/launch_template.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/template_value.h"

static DocNode *share_on_demand(Stack *stack, const PlanCapacity *capacity) {
    return capacity->kind == CAPACITY_SPOT ? tree_number(stack->doc, WHY_NODE_MIXED_SPOT, 0) : NULL;
}

static DocNode *spot_strategy(Stack *stack, const PlanCapacity *capacity) {
    return capacity->kind == CAPACITY_SPOT ? tree_text(stack->doc, WHY_NODE_MIXED_SPOT, "price-capacity-optimized")
                                           : NULL;
}

static DocNode *on_demand_strategy(Stack *stack, const PlanCapacity *capacity) {
    return capacity->kind == CAPACITY_SPOT ? NULL : tree_text(stack->doc, WHY_NODE_MIXED_ON_DEMAND, "prioritized");
}

// A group of reservations is bought on demand.
static void add_distribution(Stack *stack, DocNode *policy, const PlanNodes *nodes) {
    DocNode *distribution = tree_put_map(stack->doc, policy, "InstancesDistribution");
    tree_put(stack->doc, distribution, "OnDemandPercentageAboveBaseCapacity",
             capacity_node(stack, nodes->capacity, share_on_demand));
    tree_put(stack->doc, distribution, "OnDemandAllocationStrategy",
             capacity_node(stack, nodes->capacity, on_demand_strategy));
    tree_put(stack->doc, distribution, "SpotAllocationStrategy", capacity_node(stack, nodes->capacity, spot_strategy));
}

void mixed_instances_add(Stack *stack, DocNode *group, const PlanNodes *nodes) {
    DocNode *policy = tree_put_map(stack->doc, group, "MixedInstancesPolicy");
    add_distribution(stack, policy, nodes);
    DocNode *template = tree_put_map(stack->doc, policy, "LaunchTemplate");
    DocNode *specification = tree_put_map(stack->doc, template, "LaunchTemplateSpecification");
    launch_template_name(stack, specification, "LaunchTemplateId", nodes, WHY_NODE_TEMPLATE_VERSION);
    DocNode *overrides = tree_put_list(stack->doc, template, "Overrides");
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        tree_put(stack->doc, tree_add_map(stack->doc, overrides), "InstanceType",
                 template_value(stack, nodes->types.items[i].name));
    }
}
