// A compute environment of one instance type, its placement group, instance profile and queue. It is made so that it
// can be updated in place: the service-linked role, no name, an allocation strategy other than BEST_FIT, and no tags of
// its own: a change of those would replace the environment and the queue (the nodes have theirs by the launch template;
// aws-cloudformation/cloudformation-coverage-roadmap#2270).
#include "emitters/cloudformation/batch.h"

#include "emitters/cloudformation/condition.h"
#include "emitters/cloudformation/iam.h"
#include "emitters/cloudformation/late.h"
#include "emitters/cloudformation/node.h"
#include "emitters/cloudformation/tags.h"

enum { UPDATE_TIMEOUT_MINUTES = 360 };

// The type for images that Batch has no word for: it then looks at ImageIdOverride alone.
static const char PLAIN_IMAGE_TYPE[] = "ECS_AL2023";

static DocNode *capacity_type(Stack *stack, const PlanCapacity *capacity) {
    return node_text(stack, WHY_BATCH_CAPACITY, capacity->kind == CAPACITY_SPOT ? "SPOT" : "EC2");
}

static DocNode *allocation_strategy(Stack *stack, const PlanCapacity *capacity) {
    bool is_spot = capacity->kind == CAPACITY_SPOT;
    return node_text(stack, WHY_BATCH_ALLOCATION, is_spot ? "SPOT_PRICE_CAPACITY_OPTIMIZED" : "BEST_FIT_PROGRESSIVE");
}

// The image's id where Batch does not choose it: the author's, or that of a service image without a word of Batch's for
// it. NULL where Batch always chooses.
static DocNode *image_id(Stack *stack, const PlanNodes *nodes) {
    const ImageRow *service = nodes->image_row;
    bool is_chosen = service == NULL || service->image_type != NULL;
    const Condition *given = nodes->ami == NULL ? NULL : condition_given(stack, nodes->ami);
    if (given != NULL && given->kind == CONDITION_TRUE) {
        return late_node(stack, nodes->ami);
    }
    bool is_decided_late = given != NULL && given->kind != CONDITION_FALSE;
    DocNode *fallback = NULL;
    if (!is_chosen) {
        fallback = node_ref(stack, stack_image(stack, str_of(service->parameter), nodes->image_origin));
    }
    if (!is_decided_late) {
        return fallback;
    }
    DocNode *own = late_given_node(stack, nodes->ami);
    return condition_if(stack, given, own, fallback == NULL ? node_no_value(stack) : fallback);
}

static void add_image(Stack *stack, DocNode *resources, const PlanNodes *nodes) {
    const ImageRow *service = nodes->image_row;
    bool is_chosen = service != NULL && service->image_type != NULL;
    DocNode *configuration = node_add_map(stack, node_put_list(stack, resources, "Ec2Configuration"));
    doc_because(stack->doc, nodes->image_origin);
    node_put_text(stack, configuration, "ImageType", WHY_BATCH_IMAGE_TYPE,
                  is_chosen ? service->image_type : PLAIN_IMAGE_TYPE);
    doc_unbecause(stack->doc);
    node_put(stack, configuration, "ImageIdOverride", image_id(stack, nodes));
    bool is_always_given = nodes->ami != NULL && condition_given(stack, nodes->ami)->kind == CONDITION_TRUE;
    if (is_chosen && !is_always_given) {
        node_put(stack, resources, "UpdateToLatestImageVersion", node_bool(stack, WHY_BATCH_IMAGE_UPDATE, true));
    }
}

// Whether none of the late optional reservations of a chain is given.
static const Condition *not_reserved(Stack *stack, const PlanCapacity *capacity) {
    const Condition *condition = condition_not(stack, condition_given(stack, capacity->id));
    if (capacity->otherwise == NULL || capacity->otherwise->id == NULL) {
        return condition;
    }
    return condition_and(stack, condition, not_reserved(stack, capacity->otherwise));
}

// Whether the chain comes down to a Capacity Block.
static const Condition *is_block(Stack *stack, const PlanCapacity *capacity, const Condition *before) {
    const Condition *given = condition_given(stack, capacity->id);
    const Condition *here = condition_and(stack, before, given);
    const Condition *found = condition_and(stack, here, condition_bool(capacity->kind == CAPACITY_BLOCK));
    if (capacity->otherwise == NULL || capacity->otherwise->id == NULL) {
        return found;
    }
    const Condition *past = condition_and(stack, before, condition_not(stack, given));
    return condition_or(stack, found, is_block(stack, capacity->otherwise, past));
}

static DocNode *if_any(Stack *stack, const Condition *condition, DocNode *then, DocNode *otherwise) {
    return condition_if(stack, condition, then == NULL ? node_no_value(stack) : then,
                        otherwise == NULL ? node_no_value(stack) : otherwise);
}

// The new group, under the condition that it is wanted; NULL where it never is. Where a name decides, the reference
// stands in the arm that has none.
static DocNode *new_group(Stack *stack, const PlanNodes *nodes) {
    const PlanPlacement *placement = &nodes->placement;
    if (!placement->is_new) {
        return NULL;
    }
    const bool may_be_reserved = nodes->capacity->otherwise != NULL;
    const bool may_be_named = placement->name != NULL;
    const Condition *wanted = may_be_reserved ? not_reserved(stack, nodes->capacity) : condition_bool(true);
    if (may_be_named) {
        wanted = condition_and(stack, wanted, condition_not(stack, condition_given(stack, placement->name)));
    }
    Str condition = STR_NONE;
    if (may_be_reserved || may_be_named) {
        const char *role = may_be_named ? "NeedsPlacementGroup" : "NotReserved";
        condition = condition_name(stack, wanted, batch_id(stack, nodes, role));
    }
    Str id = batch_id(stack, nodes, "PlacementGroup");
    doc_because(stack->doc, placement->origin);
    DocNode *group = stack_resource(stack, (StackResource){
                                               .id = id,
                                               .type = "AWS::EC2::PlacementGroup",
                                               .condition = condition,
                                           });
    node_put_text(stack, group, "Strategy", WHY_PLACEMENT, "cluster");
    DocNode *node = node_ref(stack, id);
    if (may_be_reserved) {
        DocNode *list = doc_list(stack->doc);
        doc_add(stack->doc, list, node_string(stack, WHY_CONDITION, condition));
        doc_add(stack->doc, list, node);
        doc_add(stack->doc, list, node_no_value(stack));
        node = doc_call(stack->doc, CALL_IF, list);
    }
    doc_unbecause(stack->doc);
    return node;
}

static DocNode *placement_group(Stack *stack, const PlanNodes *nodes) {
    const Value *name = nodes->placement.name;
    if (name == NULL) {
        return new_group(stack, nodes);
    }
    const Condition *given = condition_given(stack, name);
    if (given->kind == CONDITION_FALSE) {
        return new_group(stack, nodes);
    }
    const Condition *block =
        nodes->capacity->id == NULL ? condition_bool(false) : is_block(stack, nodes->capacity, condition_bool(true));
    if (block->kind != CONDITION_FALSE) {
        condition_name(stack, block, STR_NONE);
    }
    DocNode *node = NULL;
    if (given->kind == CONDITION_TRUE) {
        node = late_node(stack, name);
    } else {
        condition_name(stack, given, STR_NONE);
        DocNode *own = late_given_node(stack, name);
        node = if_any(stack, given, own, new_group(stack, nodes));
    }
    return block->kind == CONDITION_FALSE ? node : if_any(stack, block, NULL, node);
}

static DocNode *vcpus(Stack *stack, const PlanNodes *nodes, const Value *count) {
    doc_because(stack->doc, origin_join(stack->arena, count->origin, nodes->instance_value->origin));
    DocNode *node = node_number(stack, WHY_BATCH_VCPUS, count->integer * nodes->instance->vcpus);
    doc_unbecause(stack->doc);
    return node;
}

static DocNode *instance_role(Stack *stack, const PlanNodes *nodes) {
    if (nodes->instance_profile != NULL) {
        return late_node(stack, nodes->instance_profile);
    }
    return node_attribute(stack, iam_instance_profile(stack, nodes), "Arn");
}

static void add_resources(Stack *stack, DocNode *environment, const PlanNodes *nodes, DocNode *role,
                          DocNode *placement) {
    DocNode *resources = node_put_map(stack, environment, "ComputeResources");
    node_put(stack, resources, "Type", batch_capacity(stack, nodes->capacity, capacity_type));
    node_put(stack, resources, "AllocationStrategy", batch_capacity(stack, nodes->capacity, allocation_strategy));
    node_put(stack, resources, "MinvCpus", vcpus(stack, nodes, nodes->count_low));
    node_put(stack, resources, "MaxvCpus", vcpus(stack, nodes, nodes->count_high));
    node_put(stack, resources, "InstanceTypes", node_list_of(stack, late_node(stack, nodes->instance_value)));
    node_put(stack, resources, "InstanceRole", role);
    Str template = batch_id(stack, nodes, "LaunchTemplate");
    DocNode *launch = node_put_map(stack, resources, "LaunchTemplate");
    node_put(stack, launch, "LaunchTemplateId", node_ref(stack, template));
    doc_because(stack->doc, why(WHY_BATCH_TEMPLATE_VERSION));
    node_put(stack, launch, "Version", node_attribute(stack, template, "LatestVersionNumber"));
    doc_unbecause(stack->doc);
    add_image(stack, resources, nodes);
    if (nodes->key != NULL) {
        node_put(stack, resources, "Ec2KeyPair", late_node(stack, nodes->key));
    }
    node_put(stack, resources, "PlacementGroup", placement);
    node_put(stack, resources, "Subnets", late_list(stack, nodes->subnet_ids));
}

// A role of the author's rules out updates in place: CloudFormation then replaces the environment.
static void add_update(Stack *stack, DocNode *environment, const PlanCluster *cluster) {
    const Value *role = cluster->service_role;
    const Condition *given = role == NULL ? NULL : condition_given(stack, role);
    if (given != NULL && given->kind == CONDITION_TRUE) {
        node_put(stack, environment, "ServiceRole", late_node(stack, role));
        return;
    }
    DocNode *replace = node_bool(stack, WHY_BATCH_UPDATE, false);
    if (given != NULL && given->kind != CONDITION_FALSE) {
        node_put(stack, environment, "ServiceRole", late_node(stack, role));
        replace = condition_if(stack, given, node_bool(stack, WHY_BATCH_UPDATE, true), replace);
    }
    node_put(stack, environment, "ReplaceComputeEnvironment", replace);
    DocNode *policy = node_put_map(stack, environment, "UpdatePolicy");
    node_put(stack, policy, "TerminateJobsOnUpdate", node_bool(stack, WHY_BATCH_UPDATE_POLICY, false));
    node_put(stack, policy, "JobExecutionTimeoutMinutes",
             node_number(stack, WHY_BATCH_UPDATE_POLICY, UPDATE_TIMEOUT_MINUTES));
}

static void add_queue(Stack *stack, const PlanNodes *nodes, Str environment) {
    DocNode *queue = stack_resource(stack, (StackResource){
                                               .id = batch_id(stack, nodes, "JobQueue"),
                                               .type = "AWS::Batch::JobQueue",
                                           });
    DocNode *order = node_add_map(stack, node_put_list(stack, queue, "ComputeEnvironmentOrder"));
    node_put(stack, order, "ComputeEnvironment", node_ref(stack, environment));
    node_put(stack, order, "Order", node_number(stack, WHY_BATCH_QUEUE_ORDER, 1));
    node_put(stack, queue, "Priority", late_node(stack, nodes->cluster->priority));
    node_put_text(stack, queue, "State", WHY_BATCH_ENABLED, "ENABLED");
}

void batch_add_compute_environment(Stack *stack, const PlanNodes *nodes) {
    DocNode *placement = placement_group(stack, nodes);
    DocNode *role = instance_role(stack, nodes);
    Str id = batch_id(stack, nodes, "ComputeEnvironment");
    DocNode *environment = stack_resource(stack, (StackResource){
                                                     .id = id,
                                                     .type = "AWS::Batch::ComputeEnvironment",
                                                 });
    node_put_text(stack, environment, "Type", WHY_BATCH_MANAGED, "MANAGED");
    node_put_text(stack, environment, "State", WHY_BATCH_ENABLED, "ENABLED");
    add_update(stack, environment, nodes->cluster);
    add_resources(stack, environment, nodes, role, placement);
    add_queue(stack, nodes, id);
}
