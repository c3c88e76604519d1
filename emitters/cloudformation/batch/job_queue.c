// Job queues: one for each group of nodes, or one over the compute environments of several groups. A scheduling policy
// stands before a queue with fair share. Neither has tags: another tag would replace it.
#include "emitters/cloudformation/batch/batch.h"

#include "compiler/plan/model/queue.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/intrinsic.h"

enum { SECOND_MS = 1000 };

static Str id_of(const Stack *stack, const PlanCluster *cluster, Str name, const char *role) {
    return stack_id(stack, cluster->head.id, name, role);
}

Str batch_queue_id(const Stack *stack, const PlanNodes *nodes) {
    const PlanQueue *queue = plan_queue_of(nodes->cluster, nodes->head.id);
    return id_of(stack, nodes->cluster, queue == NULL ? nodes->head.id : queue->head.id, "JobQueue");
}

static void add_environment(Stack *stack, DocNode *list, const PlanNodes *nodes, uint32_t place) {
    DocNode *order = tree_add_map(stack->doc, list);
    tree_put(stack->doc, order, "ComputeEnvironment",
             intrinsic_ref(stack, stack_group_id(stack, nodes, "ComputeEnvironment")));
    tree_put(stack->doc, order, "Order", tree_number(stack->doc, WHY_BATCH_QUEUE_ORDER, place));
}

void batch_add_own_queue(Stack *stack, const PlanNodes *nodes) {
    if (plan_queue_of(nodes->cluster, nodes->head.id) != NULL) {
        return;
    }
    DocNode *queue =
        stack_resource(stack, (StackResource){ .id = batch_queue_id(stack, nodes), .type = "AWS::Batch::JobQueue" });
    add_environment(stack, tree_put_list(stack->doc, queue, "ComputeEnvironmentOrder"), nodes, 1);
    tree_put(stack->doc, queue, "Priority", template_value(stack, nodes->cluster->batch->priority));
}

// Who has half of the weight gets twice the vCPUs (AWS Batch API Reference, ShareAttributes, 2026-11).
static void add_policy(Stack *stack, const PlanQueue *queue, Str id) {
    DocNode *policy = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::Batch::SchedulingPolicy" });
    DocNode *fair = tree_put_map(stack->doc, policy, "FairsharePolicy");
    if (queue->share_decay != NULL) {
        tree_put(stack->doc, fair, "ShareDecaySeconds",
                 doc_int(stack->doc, queue->share_decay->integer / SECOND_MS, queue->share_decay->origin));
    }
    tree_put(stack->doc, fair, "ComputeReservation", template_value(stack, queue->share_reservation));
    DocNode *list = tree_put_list(stack->doc, fair, "ShareDistribution");
    for (uint32_t i = 0; i < queue->shares->map.count; i++) {
        const ValueEntry *share = &queue->shares->map.entries[i];
        DocNode *entry = tree_add_map(stack->doc, list);
        tree_put(stack->doc, entry, "ShareIdentifier", doc_string(stack->doc, share->key, share->value->origin));
        tree_put(stack->doc, entry, "WeightFactor", template_value(stack, share->value));
    }
}

void batch_add_queue(Stack *stack, const PlanCluster *cluster, const PlanQueue *queue) {
    const Str id = id_of(stack, cluster, queue->head.id, "JobQueue");
    const Str policy = id_of(stack, cluster, queue->head.id, "SchedulingPolicy");
    if (queue->shares->map.count > 0) {
        add_policy(stack, queue, policy);
    }
    DocNode *properties = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::Batch::JobQueue" });
    DocNode *list = tree_put_list(stack->doc, properties, "ComputeEnvironmentOrder");
    for (uint32_t i = 0; i < queue->nodes.count; i++) {
        add_environment(stack, list, queue->nodes.items[i], i + 1);
    }
    tree_put(stack->doc, properties, "Priority", template_value(stack, queue->priority));
    if (queue->shares->map.count > 0) {
        tree_put(stack->doc, properties, "SchedulingPolicyArn", intrinsic_get_att(stack, policy, "Arn"));
    }
    stack_output(stack, stack_id(stack, queue->head.id, STR_NONE, "JobQueue"),
                 "Where jobs for these groups of nodes are submitted", intrinsic_ref(stack, id), true);
}
