// A compute environment of one instance type, its placement group, instance profile and queue. It can be updated in
// place. For this it has the service-linked role, no name, and an allocation strategy other than BEST_FIT. It has no
// tags of its own, because a change of these would replace the environment and the queue
// (aws-cloudformation/cloudformation-coverage-roadmap#2270). The launch template has the tags of the nodes.
#include "emitters/cloudformation/batch/batch.h"

#include "compiler/plan/model/declared_group.h"

#include "emitters/cloudformation/nodes/capacity_chain.h"
#include "emitters/cloudformation/template/condition.h"
#include "emitters/cloudformation/access/iam.h"
#include "emitters/cloudformation/storage/file_system.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/nodes/launch_template.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/tags.h"
#include "emitters/node/second_stage.h"
#include "schema/names.h"

enum { UPDATE_TIMEOUT_MINUTES = 360 };

// The type for images that Batch has no word for: it then looks at ImageIdOverride alone.
static const char PLAIN_IMAGE_TYPE[] = "ECS_AL2023";

static DocNode *capacity_type(Stack *stack, const PlanCapacity *capacity) {
    return tree_text(stack->doc, WHY_BATCH_CAPACITY, capacity->kind == CAPACITY_SPOT ? "SPOT" : "EC2");
}

static DocNode *allocation_strategy(Stack *stack, const PlanCapacity *capacity) {
    bool is_spot = capacity->kind == CAPACITY_SPOT;
    return tree_text(stack->doc, WHY_BATCH_ALLOCATION,
                     is_spot ? "SPOT_PRICE_CAPACITY_OPTIMIZED" : "BEST_FIT_PROGRESSIVE");
}

// The image's id where Batch does not choose it: the author's, or that of a service image without a word of Batch's for
// it. NULL where Batch always chooses.
static DocNode *image_id(Stack *stack, const PlanNodes *nodes) {
    const ImageRow *service = nodes->ami.row;
    bool is_chosen = service == NULL || service->image_type != NULL;
    const Condition *given = nodes->ami.given == NULL ? NULL : condition_given(stack, nodes->ami.given);
    if (given != NULL && given->kind == CONDITION_TRUE) {
        return template_value(stack, nodes->ami.given);
    }
    bool is_decided_late = given != NULL && given->kind != CONDITION_FALSE;
    DocNode *fallback = NULL;
    if (!is_chosen) {
        fallback = intrinsic_ref(stack, stack_image(stack, str_of(service->parameter), nodes->ami.origin));
    }
    if (!is_decided_late) {
        return fallback;
    }
    DocNode *own = template_given_value(stack, nodes->ami.given);
    return condition_if(stack, given, own, fallback == NULL ? intrinsic_no_value(stack) : fallback);
}

static void add_image(Stack *stack, DocNode *resources, const PlanNodes *nodes) {
    const ImageRow *service = nodes->ami.row;
    bool is_chosen = service != NULL && service->image_type != NULL;
    DocNode *configuration = tree_add_map(stack->doc, tree_put_list(stack->doc, resources, "Ec2Configuration"));
    doc_because(stack->doc, nodes->ami.origin);
    tree_put_text(stack->doc, configuration, "ImageType", WHY_BATCH_IMAGE_TYPE,
                  is_chosen ? service->image_type : PLAIN_IMAGE_TYPE);
    doc_unbecause(stack->doc);
    tree_put(stack->doc, configuration, "ImageIdOverride", image_id(stack, nodes));
    bool is_always_given = nodes->ami.given != NULL && condition_given(stack, nodes->ami.given)->kind == CONDITION_TRUE;
    if (is_chosen && !is_always_given) {
        tree_put(stack->doc, resources, "UpdateToLatestImageVersion",
                 tree_bool(stack->doc, WHY_BATCH_IMAGE_UPDATE, true));
    }
}

static DocNode *vcpus(Stack *stack, const PlanNodes *nodes, const Value *count) {
    doc_because(stack->doc, origin_join(stack->arena, count->origin, nodes->instance_value->origin));
    DocNode *node = tree_number(stack->doc, WHY_BATCH_VCPUS, count->integer * nodes->instance->vcpus);
    doc_unbecause(stack->doc);
    return node;
}

static DocNode *instance_role(Stack *stack, const PlanNodes *nodes) {
    if (nodes->role.instance_profile != NULL) {
        return template_value(stack, nodes->role.instance_profile);
    }
    // The second for whoever looks at a node whose check failed.
    const char *const names[] = { names_of(NAMES_POLICIES_OF_BATCH_NODES).items[0],
                                  names_of(NAMES_POLICY_OF_SESSIONS).items[0] };
    const size_t count = nodes->validate != NULL ? COUNT_OF(names) : 1;
    const IamOwnPolicies own = { .names = names, .count = count, .reason = WHY_INSTANCE_POLICY };
    const IamNodes needs = {
        .policies = own,
        .object = second_stage_objects(stack->arena, nodes),
    };
    return intrinsic_get_att(stack, iam_instance_profile(stack, nodes, needs), "Arn");
}

static void add_resources(Stack *stack, DocNode *environment, const PlanNodes *nodes, DocNode *role,
                          DocNode *placement) {
    DocNode *resources = tree_put_map(stack->doc, environment, "ComputeResources");
    tree_put(stack->doc, resources, "Type", capacity_node(stack, nodes->capacity, capacity_type));
    tree_put(stack->doc, resources, "AllocationStrategy", capacity_node(stack, nodes->capacity, allocation_strategy));
    tree_put(stack->doc, resources, "MinvCpus", vcpus(stack, nodes, nodes->count.low));
    tree_put(stack->doc, resources, "MaxvCpus", vcpus(stack, nodes, nodes->count.high));
    DocNode *types = tree_put_list(stack->doc, resources, "InstanceTypes");
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        doc_add(stack->doc, types, template_value(stack, nodes->types.items[i].name));
    }
    tree_put(stack->doc, resources, "InstanceRole", role);
    launch_template_refer(stack, resources, nodes, WHY_BATCH_TEMPLATE_VERSION);
    add_image(stack, resources, nodes);
    tree_put(stack->doc, resources, "Ec2KeyPair", template_value(stack, nodes->key));
    tree_put(stack->doc, resources, "PlacementGroup", placement);
    tree_put(stack->doc, resources, "Subnets", template_list(stack, nodes->subnets.ids));
}

// A role of the author's rules out updates in place: CloudFormation then replaces the environment.
static void add_update(Stack *stack, DocNode *environment, const PlanCluster *cluster) {
    const Value *role = cluster->batch->service_role;
    const Condition *given = role == NULL ? NULL : condition_given(stack, role);
    if (given != NULL && given->kind == CONDITION_TRUE) {
        tree_put(stack->doc, environment, "ServiceRole", template_value(stack, role));
        return;
    }
    DocNode *replace = tree_bool(stack->doc, WHY_BATCH_UPDATE, false);
    if (given != NULL && given->kind != CONDITION_FALSE) {
        tree_put(stack->doc, environment, "ServiceRole", template_value(stack, role));
        replace = condition_if(stack, given, tree_bool(stack->doc, WHY_BATCH_UPDATE, true), replace);
    }
    tree_put(stack->doc, environment, "ReplaceComputeEnvironment", replace);
    DocNode *policy = tree_put_map(stack->doc, environment, "UpdatePolicy");
    tree_put(stack->doc, policy, "TerminateJobsOnUpdate", tree_bool(stack->doc, WHY_BATCH_UPDATE_POLICY, false));
    tree_put(stack->doc, policy, "JobExecutionTimeoutMinutes",
             tree_number(stack->doc, WHY_BATCH_UPDATE_POLICY, UPDATE_TIMEOUT_MINUTES));
}

void batch_add_compute_environment(Stack *stack, const PlanNodes *nodes) {
    DocNode *placement = placement_node(stack, nodes);
    DocNode *role = instance_role(stack, nodes);
    Str id = stack_group_id(stack, nodes, "ComputeEnvironment");
    DocNode *environment =
        stack_resource(stack, (StackResource){
                                  .id = id,
                                  .type = "AWS::Batch::ComputeEnvironment",
                                  .also_depends_on = file_systems_before_nodes(stack, nodes->cluster),
                              });
    tree_put_text(stack->doc, environment, "Type", WHY_BATCH_MANAGED, "MANAGED");
    add_update(stack, environment, nodes->cluster);
    add_resources(stack, environment, nodes, role, placement);
}
