// A compute node group of one instance type, and the queue that sends jobs to it, unless a queue of the author's does.
// Both are called as the group is: nodes are named after the compute node group, and users name the queue. AWS PCS makes a launch template of its own
// from ours and ignores what it decides itself: the type, the instance profile, the end of an instance (AWS PCS User
// Guide, Overview of launch templates, 2026-11).
#include "emitters/cloudformation/pcs/pcs.h"

#include "compiler/plan/model/capacity.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/queue.h"
#include "emitters/cloudformation/access/iam.h"
#include "emitters/cloudformation/access/security_group.h"
#include "emitters/cloudformation/nodes/launch_template.h"
#include "emitters/cloudformation/nodes/mount_script.h"
#include "emitters/cloudformation/storage/file_system.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/tags.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/node/setup.h"
#include "schema/names.h"

static DocNode *tags_of(Stack *stack, const PlanNodes *nodes) {
    return tags_map(stack, (Tags){ .outer = nodes->cluster->tags, .inner = nodes->tags });
}

// Only file systems need any. A node that does not reach one of them keeps jobs from writing to its own disk instead.
static void add_user_data(Stack *stack, DocNode *data, const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    if (cluster->storages.count == 0) {
        return;
    }
    UserDataParts parts = { 0 };
    LateText late = { .stack = stack };
    setup_add_shared(stack->arena, &parts, nodes, SETUP_INSIDE, "pcs");
    const UserDataPart mounts = {
        .kind = PART_BOOTHOOK,
        .text = mount_script(&late, cluster),
        .span = subject_key(cluster->head.subject, CLUSTER_STORAGE),
        .name = STR("`storage`"),
    };
    vec_push(stack->arena, &parts, mounts);
    const Str text = userdata_write(stack->arena, &parts);
    const size_t more = late.parts.count * (size_t)schema_constant(CONSTANT_LATE_VALUE_BYTES);
    userdata_account(stack->session, &stack->decisions, nodes, &parts, text.len + more);
    doc_because(stack->doc, mount_script_origin(stack->arena, cluster));
    tree_put(stack->doc, data, "UserData",
             doc_call(stack->doc, CALL_BASE64, late_text_block(&late, text, why(WHY_USER_DATA))));
    doc_unbecause(stack->doc);
}

static void add_launch_template(Stack *stack, const PlanNodes *nodes) {
    DocNode *placement = placement_node(stack, nodes);
    DocNode *data = launch_template_add(stack, nodes, security_groups_of, launch_template_block_market);
    if (capacity_has(nodes->capacity, CAPACITY_BLOCK)) {
        doc_because(stack->doc, why(WHY_PCS_BLOCK_TYPE));
        tree_put(stack->doc, data, "InstanceType", template_value(stack, nodes->instance_value));
        doc_unbecause(stack->doc);
    }
    tree_put(stack->doc, data, "KeyName", template_value(stack, nodes->key));
    if (placement != NULL) {
        tree_put(stack->doc, tree_put_map(stack->doc, data, "Placement"), "GroupName", placement);
    }
    add_user_data(stack, data, nodes);
    launch_template_add_tags(stack, data, nodes);
}

static DocNode *instance_profile(Stack *stack, const PlanNodes *nodes) {
    if (nodes->role.instance_profile != NULL) {
        return template_value(stack, nodes->role.instance_profile);
    }
    const NameList names = names_of(plan_policies_beside(nodes));
    const IamNodes needs = {
        .policies = { .names = names.items, .count = names.count, .reason = WHY_PCS_POLICY },
        .action = { .name = "pcs:RegisterComputeNodeGroupInstance",
                    .policy = "register-with-pcs",
                    .reason = WHY_PCS_REGISTER },
        .access = plan_nodes_access(stack->arena, nodes),
        .path = "/aws-pcs/",
    };
    return intrinsic_get_att(stack, iam_instance_profile(stack, nodes, needs), "Arn");
}

static DocNode *purchase_option(Stack *stack, const PlanCapacity *capacity) {
    switch (capacity->kind) {
    case CAPACITY_ON_DEMAND:
    case CAPACITY_RESERVATION:
    case CAPACITY_RESERVATION_GROUP:
        return tree_text(stack->doc, WHY_PCS_PURCHASE, "ONDEMAND");
    case CAPACITY_SPOT:
        return tree_text(stack->doc, WHY_PCS_PURCHASE, "SPOT");
    case CAPACITY_BLOCK:
        return tree_text(stack->doc, WHY_PCS_PURCHASE, "CAPACITY_BLOCK");
    case CAPACITY_INTERRUPTIBLE:
        return tree_text(stack->doc, WHY_PCS_PURCHASE, "INTERRUPTIBLE_CAPACITY_RESERVATION");
    }
    return NULL;
}

static DocNode *spot_options(Stack *stack, const PlanCapacity *capacity) {
    if (capacity->kind != CAPACITY_SPOT) {
        return NULL;
    }
    DocNode *options = doc_map(stack->doc);
    tree_put_text(stack->doc, options, "AllocationStrategy", WHY_PCS_ALLOCATION, "price-capacity-optimized");
    return options;
}

static void add_counts(Stack *stack, DocNode *properties, const PlanNodes *nodes) {
    DocNode *scaling = tree_put_map(stack->doc, properties, "ScalingConfiguration");
    tree_put(stack->doc, scaling, "MinInstanceCount", template_value(stack, nodes->count.low));
    tree_put(stack->doc, scaling, "MaxInstanceCount", template_value(stack, nodes->count.high));
}

static DocNode *cluster_id(Stack *stack, const PlanCluster *cluster) {
    return intrinsic_get_att(stack, pcs_cluster_id(stack, cluster), "Id");
}

static void add_node_group(Stack *stack, const PlanNodes *nodes, DocNode *profile, Str id) {
    DocNode *properties =
        stack_resource(stack, (StackResource){ .id = id,
                                               .type = "AWS::PCS::ComputeNodeGroup",
                                               .also_depends_on = file_systems_before_nodes(stack, nodes->cluster) });
    tree_put(stack->doc, properties, "ClusterId", cluster_id(stack, nodes->cluster));
    tree_put(stack->doc, properties, "Name", template_value(stack, nodes->head.name));
    tree_put(stack->doc, properties, "AmiId", template_value(stack, nodes->ami.given));
    DocNode *template = tree_put_map(stack->doc, properties, "CustomLaunchTemplate");
    launch_template_name(stack, template, "TemplateId", nodes, WHY_PCS_TEMPLATE_VERSION);
    tree_put(stack->doc, properties, "IamInstanceProfileArn", profile);
    DocNode *configs = tree_put_list(stack->doc, properties, "InstanceConfigs");
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        tree_put(stack->doc, tree_add_map(stack->doc, configs), "InstanceType",
                 template_value(stack, nodes->types.items[i].name));
    }
    tree_put(stack->doc, properties, "PurchaseOption", capacity_node(stack, nodes->capacity, purchase_option));
    tree_put(stack->doc, properties, "SpotOptions", capacity_node(stack, nodes->capacity, spot_options));
    add_counts(stack, properties, nodes);
    tree_put(stack->doc, properties, "SubnetIds", template_list(stack, nodes->subnets.ids));
    tree_put(stack->doc, properties, "Tags", tags_of(stack, nodes));
}

static void add_to_queue(Stack *stack, DocNode *list, const PlanNodes *nodes) {
    const Str group = stack_group_id(stack, nodes, "ComputeNodeGroup");
    tree_put(stack->doc, tree_add_map(stack->doc, list), "ComputeNodeGroupId", intrinsic_get_att(stack, group, "Id"));
}

static void add_own_queue(Stack *stack, const PlanNodes *nodes) {
    const Str id = stack_group_id(stack, nodes, "Queue");
    DocNode *properties = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::PCS::Queue" });
    tree_put(stack->doc, properties, "ClusterId", cluster_id(stack, nodes->cluster));
    tree_put(stack->doc, properties, "Name", template_value(stack, nodes->head.name));
    add_to_queue(stack, tree_put_list(stack->doc, properties, "ComputeNodeGroupConfigurations"), nodes);
    tree_put(stack->doc, properties, "Tags", tags_of(stack, nodes));
}

void pcs_add_queue(Stack *stack, const PlanCluster *cluster, const PlanQueue *queue) {
    const Str id = stack_id(stack, cluster->head.id, queue->head.id, "Queue");
    DocNode *properties = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::PCS::Queue" });
    tree_put(stack->doc, properties, "ClusterId", cluster_id(stack, cluster));
    tree_put(stack->doc, properties, "Name", template_value(stack, queue->head.name));
    DocNode *list = tree_put_list(stack->doc, properties, "ComputeNodeGroupConfigurations");
    for (uint32_t i = 0; i < queue->nodes.count; i++) {
        add_to_queue(stack, list, queue->nodes.items[i]);
    }
    tree_put(stack->doc, properties, "Tags", tags_map(stack, (Tags){ .inner = cluster->tags }));
}

void pcs_add_group(Stack *stack, const PlanNodes *nodes) {
    add_launch_template(stack, nodes);
    DocNode *profile = instance_profile(stack, nodes);
    const Str group = stack_group_id(stack, nodes, "ComputeNodeGroup");
    add_node_group(stack, nodes, profile, group);
    if (plan_queue_of(nodes->cluster, nodes->head.id) == NULL) {
        add_own_queue(stack, nodes);
    }
    stack_output(stack, stack_id(stack, nodes->head.id, STR_NONE, "ComputeNodeGroupId"),
                 "Starts and ends the nodes of the group", intrinsic_get_att(stack, group, "Id"), true);
}
