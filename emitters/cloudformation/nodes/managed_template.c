// The launch template of a managed group that eksctl could not write, in the stack of the cluster's nodes. EKS keeps
// the group. Its role, its subnets, its image (if the template names none) and what it buys stand in the file for
// eksctl. EKS refuses a template that says them too. EKS adds the cluster's own security group only to a template
// without interfaces. So the interfaces name it, and the stack comes after the cluster.
#include "emitters/cloudformation/nodes/node_group.h"

#include "compiler/plan/model/names.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/nodes/launch_template.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/node/eks_start.h"

static void add_outputs(Stack *stack, const PlanNodes *nodes) {
    const Str id = stack_group_id(stack, nodes, "LaunchTemplate");
    stack_output(stack, plan_logical_id(stack->arena, nodes->head.id, STR_NONE, OUTPUT_LAUNCH_TEMPLATE),
                 "Starts the group's nodes", intrinsic_ref(stack, id), true);
    stack_output(stack, plan_logical_id(stack->arena, nodes->head.id, STR_NONE, OUTPUT_LAUNCH_TEMPLATE_VERSION),
                 "Its newest version", intrinsic_get_att(stack, id, "LatestVersionNumber"), true);
}

// If the template names no image, EKS adds a part behind these with what nodes need to join. If it names one, EKS adds
// nothing (EKS User Guide, launch templates, 2026-11; pulumi/pulumi-eks#1166). A check that nobody asked for gives way
// where there is no room for it.
static DocNode *user_data(Stack *stack, const PlanNodes *nodes, const NodeGroupAnswers *answers) {
    if (nodes->ami.given != NULL) {
        return node_group_user_data(stack, nodes, answers);
    }
    const size_t own = eks_start_own_bytes(stack->arena, nodes);
    EksStartWay chosen = eks_start_first(nodes);
    UserDataParts parts = { 0 };
    Str text = STR_NONE;
    size_t whole = 0; // of one with the check
    for (EksStartWay way = chosen; way != EKS_START_WAYS; way = eks_start_next(nodes, way)) {
        whole = text.len + own;
        chosen = way;
        parts = eks_start_parts(stack->session, stack->output, nodes, way);
        text = userdata_write(stack->arena, &parts);
        if (userdata_fits(text.len + own)) {
            break;
        }
    }
    const bool has_check = eks_start_has_check(nodes, chosen);
    if (nodes->validate != NULL && !has_check && userdata_fits(text.len + own)) { // else that is what is wrong
        const LeftOut left_out = { .what = "user data",
                                   .size = whole,
                                   .most = schema_constant(CONSTANT_USER_DATA_BYTES_MAX) };
        userdata_report_unchecked(stack->session, nodes, left_out);
    }
    if (has_check) {
        eks_start_upload(stack->session, stack->plan, stack->output, nodes, chosen, &stack->step);
        userdata_account(stack->session, &stack->decisions, nodes, &parts, text.len + own);
    } else {
        userdata_check_size(stack->session, nodes, &parts, text.len + own);
    }
    if (parts.count == 0) {
        return NULL;
    }
    doc_because(stack->doc, eks_start_origin(stack->arena, nodes, has_check));
    DocNode *message = doc_block(stack->doc, text, why(nodes->scratch == NULL ? WHY_USER_DATA : WHY_EKS_RAID));
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
