// How the stack of a cluster's groups waits for nodes to join, which a script of their user data says. Nodes say that
// they have joined, and nothing else: one failure among the signals rolls a stack back (CloudFormation User Guide,
// UpdatePolicy attribute, 2026-11). Those that stay away are counted instead, and some of them may. A node of a
// reservation is gone before its successor can start, so a rolling update takes it away first.
#include "emitters/cloudformation/template/late_node.h"
#include "compiler/plan/model/group.h"
#include "emitters/cloudformation/template/template_node.h"
#include "emitters/cloudformation/nodes/node_group.h"

static Str wait_time(const Stack *stack) {
    return str_format(stack->arena, "PT%dM", NODE_GROUP_WAIT_MINUTES);
}

static void put_percent(Stack *stack, DocNode *policy, const PlanNodes *nodes, const Value *least) {
    enum { ALL = 100 };
    const Value *tolerance = nodes->eks->tolerance;
    const Value *decides = tolerance != NULL ? tolerance : least; // in which one node may stay away
    const Origin *origin = origin_join(stack->arena, why(WHY_NODE_TOLERANCE), decides->origin);
    node_put(stack, policy, "MinSuccessfulInstancesPercent",
             doc_int(stack->doc, ALL - plan_tolerance(nodes, least), origin));
}

const Value *node_joining_first(const PlanNodes *nodes) {
    return nodes->eks->desired != NULL ? nodes->eks->desired : nodes->count.written_low;
}

// Where no node is wanted at first, none is waited for.
static void add_creation_policy(Stack *stack, const PlanNodes *nodes, Str id) {
    const Value *desired = node_joining_first(nodes);
    if (desired->kind == VALUE_INT && desired->integer == 0) {
        return;
    }
    DocNode *policy = node_put_map(stack, (DocNode *)doc_get(stack->resources, id), "CreationPolicy");
    put_percent(stack, node_put_map(stack, policy, "AutoScalingCreationPolicy"), nodes, desired);
    DocNode *signal = node_put_map(stack, policy, "ResourceSignal");
    node_put(stack, signal, "Count", late_text(stack, desired));
    node_put(stack, signal, "Timeout", node_string(stack, WHY_NODE_SIGNAL, wait_time(stack)));
}

static void add_update_policy(Stack *stack, const PlanNodes *nodes, Str id) {
    // What would fight the update while it runs. CloudFormation User Guide, UpdatePolicy attribute, 2026-11.
    static const char *const SUSPENDED[] = { "HealthCheck", "ReplaceUnhealthy", "AZRebalance", "AlarmNotification",
                                             "ScheduledActions" };
    DocNode *policy = node_put_map(stack, (DocNode *)doc_get(stack->resources, id), "UpdatePolicy");
    DocNode *rolling = node_put_map(stack, policy, "AutoScalingRollingUpdate");
    node_put(stack, rolling, "MaxBatchSize", node_number(stack, WHY_NODE_UPDATE, 1));
    node_put(stack, rolling, "MinInstancesInService", node_number(stack, WHY_NODE_UPDATE, 0));
    put_percent(stack, rolling, nodes, nodes->count.written_low);
    node_put(stack, rolling, "WaitOnResourceSignals", node_bool(stack, WHY_NODE_SIGNAL, true));
    node_put(stack, rolling, "PauseTime", node_string(stack, WHY_NODE_SIGNAL, wait_time(stack)));
    DocNode *suspended = node_put_list(stack, rolling, "SuspendProcesses");
    for (size_t i = 0; i < COUNT_OF(SUSPENDED); i++) {
        doc_add(stack->doc, suspended, node_text(stack, WHY_NODE_UPDATE, SUSPENDED[i]));
    }
}

void node_joining_add(Stack *stack, const PlanNodes *nodes, Str id) {
    add_creation_policy(stack, nodes, id);
    add_update_policy(stack, nodes, id);
}
