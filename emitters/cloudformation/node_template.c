// The launch template of a managed group that eksctl could not write, in the stack of the cluster's nodes. EKS keeps the
// group: its role, its subnets, its image (where the template names none) and what it buys are of the file for eksctl, and
// EKS refuses a template that says them too. What EKS adds to a template without interfaces, the cluster's own security
// group, it adds to none with interfaces: so they name it, and the stack comes behind the cluster.
#include "emitters/cloudformation/node_group.h"

#include "emitters/cloudformation/late.h"
#include "emitters/cloudformation/launch_template.h"
#include "emitters/cloudformation/node.h"
#include "emitters/userdata.h"

static void add_outputs(Stack *stack, const PlanNodes *nodes) {
    const Str id = stack_group_id(stack, nodes, "LaunchTemplate");
    stack_output(stack, plan_logical_id(stack->arena, nodes->head.id, STR_NONE, OUTPUT_LAUNCH_TEMPLATE),
                 "Starts the group's nodes", node_ref(stack, id), true);
    stack_output(stack, plan_logical_id(stack->arena, nodes->head.id, STR_NONE, OUTPUT_LAUNCH_TEMPLATE_VERSION),
                 "Its newest version", node_attribute(stack, id, "LatestVersionNumber"), true);
}

// EKS puts a part with what nodes must know to join behind these, as the template names no image (EKS User Guide,
// launch templates, 2026-11).
static DocNode *user_data(Stack *stack, const PlanNodes *nodes) {
    if (nodes->scratch == NULL) {
        return NULL;
    }
    UserDataParts parts = { 0 };
    vec_push(stack->arena, &parts,
             (UserDataPart){ .kind = PART_NODE_CONFIG, .text = userdata_raid_config(), .span = SPAN_NONE });
    doc_because(stack->doc, nodes->scratch->origin);
    DocNode *message = doc_block(stack->doc, userdata_write(stack->arena, &parts), why(WHY_EKS_RAID));
    doc_unbecause(stack->doc);
    return doc_call(stack->doc, CALL_BASE64, message);
}

void node_template_add(Stack *stack, const PlanNodes *nodes) {
    DocNode *placement = placement_node(stack, nodes);
    DocNode *data = launch_template_add(stack, nodes, node_group_interface_groups, launch_template_block_market);
    node_put(stack, data, "InstanceType", late_node(stack, nodes->instance_value));
    if (nodes->key != NULL) {
        node_put(stack, data, "KeyName", late_node(stack, nodes->key));
    }
    if (placement != NULL) {
        node_put(stack, node_put_map(stack, data, "Placement"), "GroupName", placement);
    }
    node_put(stack, data, "UserData", user_data(stack, nodes));
    launch_template_add_tags(stack, data, nodes);
    add_outputs(stack, nodes);
}
