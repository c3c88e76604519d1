// How the stack of a cluster's groups waits for nodes to join, which a script of their user data says. Nodes say that
// they have joined, and nothing else: one failure among the signals rolls a stack back (CloudFormation User Guide,
// UpdatePolicy attribute, 2026-11). Those that stay away are counted instead, and some of them may. A node of a
// reservation is gone before its successor can start, so a rolling update takes it away first.
#include "emitters/cloudformation/template/template_value.h"
#include "compiler/plan/model/declared_group.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/nodes/node_group.h"

static Str wait_time(const Stack *stack) {
    return str_format(stack->arena, "PT%dM", NODE_GROUP_WAIT_MINUTES);
}

static void put_percent(Stack *stack, DocNode *policy, const PlanNodes *nodes, const Value *least) {
    enum { ALL = 100 };
    const Value *tolerance = nodes->eks->tolerance;
    const Value *decides = tolerance != NULL ? tolerance : least; // in which one node may stay away
    const Origin *origin = origin_join(stack->arena, why(WHY_NODE_TOLERANCE), decides->origin);
    tree_put(stack->doc, policy, "MinSuccessfulInstancesPercent",
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
    DocNode *policy = tree_put_map(stack->doc, (DocNode *)doc_get(stack->resources, id), "CreationPolicy");
    put_percent(stack, tree_put_map(stack->doc, policy, "AutoScalingCreationPolicy"), nodes, desired);
    DocNode *signal = tree_put_map(stack->doc, policy, "ResourceSignal");
    tree_put(stack->doc, signal, "Count", template_text(stack, desired));
    tree_put(stack->doc, signal, "Timeout", tree_string(stack->doc, WHY_NODE_SIGNAL, wait_time(stack)));
}

static void add_update_policy(Stack *stack, const PlanNodes *nodes, Str id) {
    // What would fight the update while it runs. CloudFormation User Guide, UpdatePolicy attribute, 2026-11.
    static const char *const SUSPENDED[] = { "HealthCheck", "ReplaceUnhealthy", "AZRebalance", "AlarmNotification",
                                             "ScheduledActions" };
    DocNode *policy = tree_put_map(stack->doc, (DocNode *)doc_get(stack->resources, id), "UpdatePolicy");
    DocNode *rolling = tree_put_map(stack->doc, policy, "AutoScalingRollingUpdate");
    tree_put(stack->doc, rolling, "MaxBatchSize", tree_number(stack->doc, WHY_NODE_UPDATE, 1));
    tree_put(stack->doc, rolling, "MinInstancesInService", tree_number(stack->doc, WHY_NODE_UPDATE, 0));
    put_percent(stack, rolling, nodes, nodes->count.written_low);
    tree_put(stack->doc, rolling, "WaitOnResourceSignals", tree_bool(stack->doc, WHY_NODE_SIGNAL, true));
    tree_put(stack->doc, rolling, "PauseTime", tree_string(stack->doc, WHY_NODE_SIGNAL, wait_time(stack)));
    DocNode *suspended = tree_put_list(stack->doc, rolling, "SuspendProcesses");
    for (size_t i = 0; i < COUNT_OF(SUSPENDED); i++) {
        doc_add(stack->doc, suspended, tree_text(stack->doc, WHY_NODE_UPDATE, SUSPENDED[i]));
    }
}

void node_joining_add(Stack *stack, const PlanNodes *nodes, Str id) {
    add_creation_policy(stack, nodes, id);
    add_update_policy(stack, nodes, id);
}
