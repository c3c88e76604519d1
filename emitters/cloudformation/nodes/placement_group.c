// The cluster placement group of a node group: a new one, an existing one, or none. What only the deployment decides
// stands under conditions.
#include "emitters/cloudformation/nodes/capacity_chain.h"

#include "emitters/cloudformation/template/condition.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/intrinsic.h"

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
    return condition_if(stack, condition, then == NULL ? intrinsic_no_value(stack) : then,
                        otherwise == NULL ? intrinsic_no_value(stack) : otherwise);
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
        condition = condition_name(stack, wanted);
    }
    Str id = stack_group_id(stack, nodes, "PlacementGroup");
    doc_because(stack->doc, placement->origin);
    DocNode *group = stack_resource(stack, (StackResource){
                                               .id = id,
                                               .type = "AWS::EC2::PlacementGroup",
                                               .condition = condition,
                                           });
    tree_put_text(stack->doc, group, "Strategy", WHY_PLACEMENT, "cluster");
    DocNode *node = intrinsic_ref(stack, id);
    if (may_be_reserved) {
        DocNode *list = doc_list(stack->doc);
        doc_add(stack->doc, list, tree_string(stack->doc, WHY_CONDITION, condition));
        doc_add(stack->doc, list, node);
        doc_add(stack->doc, list, intrinsic_no_value(stack));
        node = doc_call(stack->doc, CALL_IF, list);
    }
    doc_unbecause(stack->doc);
    return node;
}

DocNode *placement_node(Stack *stack, const PlanNodes *nodes) {
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
        condition_name(stack, block);
    }
    DocNode *node = NULL;
    if (given->kind == CONDITION_TRUE) {
        node = template_value(stack, name);
    } else {
        condition_name(stack, given);
        DocNode *own = template_given_value(stack, name);
        node = if_any(stack, given, own, new_group(stack, nodes));
    }
    return block->kind == CONDITION_FALSE ? node : if_any(stack, block, NULL, node);
}
