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
#include "emitters/cloudformation/template/late_node.h"
#include "emitters/cloudformation/template/tags.h"
#include "emitters/cloudformation/template/template_node.h"
#include "schema/names.h"

static DocNode *tags_of(Stack *stack, const PlanNodes *nodes) {
    return tags_map(stack, (Tags){ .outer = nodes->cluster->tags, .inner = nodes->tags });
}

static void add_launch_template(Stack *stack, const PlanNodes *nodes) {
    DocNode *placement = placement_node(stack, nodes);
    DocNode *data = launch_template_add(stack, nodes, security_groups_of, launch_template_block_market);
    if (capacity_has(nodes->capacity, CAPACITY_BLOCK)) {
        doc_because(stack->doc, why(WHY_PCS_BLOCK_TYPE));
        node_put(stack, data, "InstanceType", late_node(stack, nodes->instance_value));
        doc_unbecause(stack->doc);
    }
    if (nodes->key != NULL) {
        node_put(stack, data, "KeyName", late_node(stack, nodes->key));
    }
    if (placement != NULL) {
        node_put(stack, node_put_map(stack, data, "Placement"), "GroupName", placement);
    }
    launch_template_add_tags(stack, data, nodes);
}

static DocNode *instance_profile(Stack *stack, const PlanNodes *nodes) {
    if (nodes->role.instance_profile != NULL) {
        return late_node(stack, nodes->role.instance_profile);
    }
    const NameList names = names_of(plan_policies_beside(nodes));
    const IamNodes needs = {
        .policies = { .names = names.items, .count = names.count, .reason = WHY_PCS_POLICY },
        .action = { .name = "pcs:RegisterComputeNodeGroupInstance",
                    .policy = "register-with-pcs",
                    .reason = WHY_PCS_REGISTER },
        .path = "/aws-pcs/",
    };
    return node_attribute(stack, iam_instance_profile(stack, nodes, needs), "Arn");
}

static DocNode *purchase_option(Stack *stack, const PlanCapacity *capacity) {
    switch (capacity->kind) {
    case CAPACITY_ON_DEMAND:
    case CAPACITY_RESERVATION:
    case CAPACITY_RESERVATION_GROUP:
        return node_text(stack, WHY_PCS_PURCHASE, "ONDEMAND");
    case CAPACITY_SPOT:
        return node_text(stack, WHY_PCS_PURCHASE, "SPOT");
    case CAPACITY_BLOCK:
        return node_text(stack, WHY_PCS_PURCHASE, "CAPACITY_BLOCK");
    case CAPACITY_INTERRUPTIBLE:
        return node_text(stack, WHY_PCS_PURCHASE, "INTERRUPTIBLE_CAPACITY_RESERVATION");
    }
    return NULL;
}

static DocNode *spot_options(Stack *stack, const PlanCapacity *capacity) {
    if (capacity->kind != CAPACITY_SPOT) {
        return NULL;
    }
    DocNode *options = doc_map(stack->doc);
    node_put_text(stack, options, "AllocationStrategy", WHY_PCS_ALLOCATION, "price-capacity-optimized");
    return options;
}

// By its newest version: `$Latest` would not say when it has changed.
static void refer_to_template(Stack *stack, DocNode *properties, const PlanNodes *nodes) {
    const Str id = stack_group_id(stack, nodes, "LaunchTemplate");
    DocNode *template = node_put_map(stack, properties, "CustomLaunchTemplate");
    node_put(stack, template, "TemplateId", node_ref(stack, id));
    doc_because(stack->doc, why(WHY_PCS_TEMPLATE_VERSION));
    node_put(stack, template, "Version", node_attribute(stack, id, "LatestVersionNumber"));
    doc_unbecause(stack->doc);
}

static void add_counts(Stack *stack, DocNode *properties, const PlanNodes *nodes) {
    DocNode *scaling = node_put_map(stack, properties, "ScalingConfiguration");
    node_put(stack, scaling, "MinInstanceCount", late_node(stack, nodes->count.low));
    node_put(stack, scaling, "MaxInstanceCount", late_node(stack, nodes->count.high));
}

static DocNode *cluster_id(Stack *stack, const PlanCluster *cluster) {
    return node_attribute(stack, pcs_cluster_id(stack, cluster), "Id");
}

static void add_node_group(Stack *stack, const PlanNodes *nodes, DocNode *profile, Str id) {
    DocNode *properties = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::PCS::ComputeNodeGroup" });
    node_put(stack, properties, "ClusterId", cluster_id(stack, nodes->cluster));
    node_put(stack, properties, "Name", late_node(stack, nodes->head.name));
    node_put(stack, properties, "AmiId", late_node(stack, nodes->ami.given));
    refer_to_template(stack, properties, nodes);
    node_put(stack, properties, "IamInstanceProfileArn", profile);
    DocNode *config = node_add_map(stack, node_put_list(stack, properties, "InstanceConfigs"));
    node_put(stack, config, "InstanceType", late_node(stack, nodes->instance_value));
    node_put(stack, properties, "PurchaseOption", capacity_node(stack, nodes->capacity, purchase_option));
    node_put(stack, properties, "SpotOptions", capacity_node(stack, nodes->capacity, spot_options));
    add_counts(stack, properties, nodes);
    node_put(stack, properties, "SubnetIds", late_list(stack, nodes->subnets.ids));
    node_put(stack, properties, "Tags", tags_of(stack, nodes));
}

static void add_to_queue(Stack *stack, DocNode *list, const PlanNodes *nodes) {
    const Str group = stack_group_id(stack, nodes, "ComputeNodeGroup");
    node_put(stack, node_add_map(stack, list), "ComputeNodeGroupId", node_attribute(stack, group, "Id"));
}

static void add_own_queue(Stack *stack, const PlanNodes *nodes) {
    const Str id = stack_group_id(stack, nodes, "Queue");
    DocNode *properties = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::PCS::Queue" });
    node_put(stack, properties, "ClusterId", cluster_id(stack, nodes->cluster));
    node_put(stack, properties, "Name", late_node(stack, nodes->head.name));
    add_to_queue(stack, node_put_list(stack, properties, "ComputeNodeGroupConfigurations"), nodes);
    node_put(stack, properties, "Tags", tags_of(stack, nodes));
}

void pcs_add_queue(Stack *stack, const PlanCluster *cluster, const PlanQueue *queue) {
    const Str id = stack_id(stack, cluster->head.id, queue->head.id, "Queue");
    DocNode *properties = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::PCS::Queue" });
    node_put(stack, properties, "ClusterId", cluster_id(stack, cluster));
    node_put(stack, properties, "Name", late_node(stack, queue->head.name));
    DocNode *list = node_put_list(stack, properties, "ComputeNodeGroupConfigurations");
    for (uint32_t i = 0; i < queue->nodes.count; i++) {
        add_to_queue(stack, list, queue->nodes.items[i]);
    }
    node_put(stack, properties, "Tags", tags_map(stack, (Tags){ .inner = cluster->tags }));
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
                 "Starts and ends the nodes of the group", node_attribute(stack, group, "Id"), true);
}
