// Job queues: one for each group of nodes, or one over the compute environments of several groups. A scheduling policy
// stands before a queue with fair share. Neither has tags: another tag would replace it.
#include "emitters/cloudformation/batch/batch.h"

#include "compiler/plan/model/queue.h"
#include "emitters/cloudformation/template/late_node.h"
#include "emitters/cloudformation/template/template_node.h"

enum { SECOND_MS = 1000 };

static Str id_of(const Stack *stack, const PlanCluster *cluster, Str name, const char *role) {
    return stack_id(stack, cluster->head.id, name, role);
}

Str batch_queue_id(const Stack *stack, const PlanNodes *nodes) {
    const PlanQueue *queue = plan_queue_of(nodes->cluster, nodes->head.id);
    return id_of(stack, nodes->cluster, queue == NULL ? nodes->head.id : queue->head.id, "JobQueue");
}

static void add_environment(Stack *stack, DocNode *list, const PlanNodes *nodes, uint32_t place) {
    DocNode *order = node_add_map(stack, list);
    node_put(stack, order, "ComputeEnvironment", node_ref(stack, stack_group_id(stack, nodes, "ComputeEnvironment")));
    node_put(stack, order, "Order", node_number(stack, WHY_BATCH_QUEUE_ORDER, place));
}

void batch_add_own_queue(Stack *stack, const PlanNodes *nodes) {
    if (plan_queue_of(nodes->cluster, nodes->head.id) != NULL) {
        return;
    }
    DocNode *queue =
        stack_resource(stack, (StackResource){ .id = batch_queue_id(stack, nodes), .type = "AWS::Batch::JobQueue" });
    add_environment(stack, node_put_list(stack, queue, "ComputeEnvironmentOrder"), nodes, 1);
    node_put(stack, queue, "Priority", late_node(stack, nodes->cluster->batch->priority));
}

// Who has half of the weight gets twice the vCPUs (AWS Batch API Reference, ShareAttributes, 2026-11).
static void add_policy(Stack *stack, const PlanQueue *queue, Str id) {
    DocNode *policy = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::Batch::SchedulingPolicy" });
    DocNode *fair = node_put_map(stack, policy, "FairsharePolicy");
    if (queue->share_decay != NULL) {
        node_put(stack, fair, "ShareDecaySeconds",
                 doc_int(stack->doc, queue->share_decay->integer / SECOND_MS, queue->share_decay->origin));
    }
    if (queue->share_reservation != NULL) {
        node_put(stack, fair, "ComputeReservation", late_node(stack, queue->share_reservation));
    }
    DocNode *list = node_put_list(stack, fair, "ShareDistribution");
    for (uint32_t i = 0; i < queue->shares->map.count; i++) {
        const ValueEntry *share = &queue->shares->map.entries[i];
        DocNode *entry = node_add_map(stack, list);
        node_put(stack, entry, "ShareIdentifier", doc_string(stack->doc, share->key, share->value->origin));
        node_put(stack, entry, "WeightFactor", late_node(stack, share->value));
    }
}

void batch_add_queue(Stack *stack, const PlanCluster *cluster, const PlanQueue *queue) {
    const Str id = id_of(stack, cluster, queue->head.id, "JobQueue");
    const Str policy = id_of(stack, cluster, queue->head.id, "SchedulingPolicy");
    if (queue->shares->map.count > 0) {
        add_policy(stack, queue, policy);
    }
    DocNode *properties = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::Batch::JobQueue" });
    DocNode *list = node_put_list(stack, properties, "ComputeEnvironmentOrder");
    for (uint32_t i = 0; i < queue->nodes.count; i++) {
        add_environment(stack, list, queue->nodes.items[i], i + 1);
    }
    node_put(stack, properties, "Priority", late_node(stack, queue->priority));
    if (queue->shares->map.count > 0) {
        node_put(stack, properties, "SchedulingPolicyArn", node_attribute(stack, policy, "Arn"));
    }
    stack_output(stack, stack_id(stack, queue->head.id, STR_NONE, "JobQueue"),
                 "Where jobs for these groups of nodes are submitted", node_ref(stack, id), true);
}
