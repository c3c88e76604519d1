// The launch template of a managed group that eksctl could not write, in the stack of the cluster's nodes. EKS keeps
// the group. Its role, its subnets, its image (if the template names none) and what it buys stand in the file for
// eksctl. EKS refuses a template that says them too. EKS adds the cluster's own security group only to a template
// without interfaces. So the interfaces name it, and the stack comes after the cluster.
#include "emitters/cloudformation/nodes/node_group.h"

#include "compiler/plan/model/names.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/nodes/launch_template.h"
#include "emitters/cloudformation/template/intrinsic.h"

static void add_outputs(Stack *stack, const PlanNodes *nodes) {
    const Str id = stack_group_id(stack, nodes, "LaunchTemplate");
    stack_output(stack, plan_logical_id(stack->arena, nodes->head.id, STR_NONE, OUTPUT_LAUNCH_TEMPLATE),
                 "Starts the group's nodes", intrinsic_ref(stack, id), true);
    stack_output(stack, plan_logical_id(stack->arena, nodes->head.id, STR_NONE, OUTPUT_LAUNCH_TEMPLATE_VERSION),
                 "Its newest version", intrinsic_get_att(stack, id, "LatestVersionNumber"), true);
}

static EksStart write_start(void *state, const PlanNodes *nodes, EksStartWay way) {
    const Stack *stack = state;
    EksStart start = { .parts = eks_start_parts(stack->session, stack->output, nodes, way) };
    start.text = userdata_write(stack->arena, &start.parts);
    start.size = start.text.len + eks_start_own_bytes(stack->arena, nodes);
    return start;
}

// If the template names no image, EKS adds a part behind these with what nodes need to join. If it names one, EKS adds
// nothing (EKS User Guide, launch templates, 2026-11; pulumi/pulumi-eks#1166).
static DocNode *user_data(Stack *stack, const PlanNodes *nodes, const NodeGroupAnswers *answers) {
    if (nodes->ami.given != NULL) {
        return node_group_user_data(stack, nodes, answers);
    }
    const EksStart start = node_group_start(stack, nodes, write_start, stack);
    const bool has_check = eks_start_has_check(nodes, start.way);
    if (start.parts.count == 0) {
        return NULL;
    }
    doc_because(stack->doc, eks_start_origin(stack->arena, nodes, has_check));
    DocNode *message = doc_block(stack->doc, start.text, why(nodes->scratch == NULL ? WHY_USER_DATA : WHY_EKS_RAID));
    doc_unbecause(stack->doc);
    return doc_call(stack->doc, CALL_BASE64, message);
}

void managed_template_add(Stack *stack, const PlanNodes *nodes, const NodeGroupAnswers *answers) {
    DocNode *placement = placement_node(stack, nodes);
    DocNode *data = launch_template_add(stack, nodes, node_group_interface_groups, launch_template_block_market);
    if (nodes->types.count == 1) { // several stand in the file for eksctl
        tree_put(stack->doc, data, "InstanceType", template_value(stack, nodes->instance_value));
    }
    tree_put(stack->doc, data, "ImageId", template_value(stack, nodes->ami.given));
    tree_put(stack->doc, data, "KeyName", template_value(stack, nodes->key));
    if (placement != NULL) {
        tree_put(stack->doc, tree_put_map(stack->doc, data, "Placement"), "GroupName", placement);
    }
    tree_put(stack->doc, data, "UserData", user_data(stack, nodes, answers));
    launch_template_add_tags(stack, data, nodes);
    add_outputs(stack, nodes);
}
