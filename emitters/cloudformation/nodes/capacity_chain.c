// Writes where nodes come from, as nested `!If`s. If a reservation may be absent, what holds without it follows.
#include "emitters/cloudformation/nodes/capacity_chain.h"

#include "emitters/cloudformation/template/condition.h"
#include "emitters/cloudformation/template/intrinsic.h"

static bool is_same_text(const DocNode *a, const DocNode *b) {
    return a != NULL && b != NULL && a->kind == DOC_STRING && b->kind == DOC_STRING && str_equal(a->string, b->string);
}

DocNode *capacity_node(Stack *stack, const PlanCapacity *capacity, CapacityNode *make) {
    doc_because(stack->doc, capacity->origin);
    DocNode *node = make(stack, capacity);
    doc_unbecause(stack->doc);
    if (capacity->otherwise == NULL) {
        return node;
    }
    const Condition *given = condition_given(stack, capacity->id);
    assert(given->kind != CONDITION_TRUE && given->kind != CONDITION_FALSE);
    condition_name(stack, given); // before those further down the chain
    DocNode *otherwise = capacity_node(stack, capacity->otherwise, make);
    if ((node == NULL && otherwise == NULL) || is_same_text(node, otherwise)) {
        return node;
    }
    return condition_if(stack, given, node == NULL ? intrinsic_no_value(stack) : node,
                        otherwise == NULL ? intrinsic_no_value(stack) : otherwise);
}
