// The launch template of a managed group that eksctl could not write, in the stack of the cluster's nodes. EKS keeps the
// group: its role, its subnets, its image (where the template names none) and what it buys are of the file for eksctl, and
// EKS refuses a template that says them too. What EKS adds to a template without interfaces, the cluster's own security
// group, it adds to none with interfaces: so they name it, and the stack comes behind the cluster.
#include "emitters/cloudformation/node_group.h"

#include "emitters/cloudformation/late.h"
#include "emitters/cloudformation/launch_template.h"
#include "emitters/cloudformation/node.h"
#include "emitters/setup.h"

static void add_outputs(Stack *stack, const PlanNodes *nodes) {
    const Str id = stack_group_id(stack, nodes, "LaunchTemplate");
    stack_output(stack, plan_logical_id(stack->arena, nodes->head.id, STR_NONE, OUTPUT_LAUNCH_TEMPLATE),
                 "Starts the group's nodes", node_ref(stack, id), true);
    stack_output(stack, plan_logical_id(stack->arena, nodes->head.id, STR_NONE, OUTPUT_LAUNCH_TEMPLATE_VERSION),
                 "Its newest version", node_attribute(stack, id, "LatestVersionNumber"), true);
}

// Where the template names no image, EKS puts a part with what nodes must know to join behind these; where it names one,
// EKS adds nothing (EKS User Guide, launch templates, 2026-11; pulumi/pulumi-eks#1166).
static DocNode *user_data(Stack *stack, const PlanNodes *nodes, const NodeGroupAnswers *answers) {
    if (nodes->ami != NULL) {
        return node_group_user_data(stack, nodes, answers);
    }
    UserDataParts parts = setup_eks_parts(stack->arena, nodes);
    if (nodes->scratch != NULL) {
        vec_push(stack->arena, &parts,
                 ((UserDataPart){ .kind = PART_NODE_CONFIG, .text = userdata_raid_config(), .span = SPAN_NONE }));
    }
    if (parts.count == 0) {
        return NULL;
    }
    const Str text = userdata_write(stack->arena, &parts);
    setup_check_size(stack->session, nodes, &parts, text.len + SETUP_EKS_OWN_BYTES);
    const Origin *scratch = nodes->scratch == NULL ? NULL : nodes->scratch->origin;
    doc_because(stack->doc, origin_join(stack->arena, scratch, setup_origin(stack->arena, nodes)));
    DocNode *message = doc_block(stack->doc, text, why(nodes->scratch == NULL ? WHY_USER_DATA : WHY_EKS_RAID));
    doc_unbecause(stack->doc);
    return doc_call(stack->doc, CALL_BASE64, message);
}

void node_template_add(Stack *stack, const PlanNodes *nodes, const NodeGroupAnswers *answers) {
    DocNode *placement = placement_node(stack, nodes);
    DocNode *data = launch_template_add(stack, nodes, node_group_interface_groups, launch_template_block_market);
    node_put(stack, data, "InstanceType", late_node(stack, nodes->instance_value));
    if (nodes->ami != NULL) {
        node_put(stack, data, "ImageId", late_node(stack, nodes->ami));
    }
    if (nodes->key != NULL) {
        node_put(stack, data, "KeyName", late_node(stack, nodes->key));
    }
    if (placement != NULL) {
        node_put(stack, node_put_map(stack, data, "Placement"), "GroupName", placement);
    }
    node_put(stack, data, "UserData", user_data(stack, nodes, answers));
    launch_template_add_tags(stack, data, nodes);
    add_outputs(stack, nodes);
}
