// Formulas over params, and their names. A name says what its formula means, so that a reader of `!If` need not look it
// up. The name comes from the formula alone, so equal formulas are one condition.
#include "emitters/cloudformation/template/condition.h"

#include "emitters/cloudformation/template/intrinsic.h"

static const Condition CONSTANT_TRUE = { .kind = CONDITION_TRUE };
static const Condition CONSTANT_FALSE = { .kind = CONDITION_FALSE };

static const Condition *make(Stack *stack, Condition condition) {
    Condition *made = arena_new(stack->arena, Condition);
    *made = condition;
    return made;
}

const Condition *condition_bool(bool is_true) {
    return is_true ? &CONSTANT_TRUE : &CONSTANT_FALSE;
}

const Condition *condition_not(Stack *stack, const Condition *condition) {
    if (condition->kind == CONDITION_TRUE) {
        return &CONSTANT_FALSE;
    }
    if (condition->kind == CONDITION_FALSE) {
        return &CONSTANT_TRUE;
    }
    return condition->kind == CONDITION_NOT ? condition->left
                                            : make(stack, (Condition){ .kind = CONDITION_NOT, .left = condition });
}

const Condition *condition_and(Stack *stack, const Condition *left, const Condition *right) {
    if (left->kind == CONDITION_FALSE || right->kind == CONDITION_TRUE) {
        return left;
    }
    if (left->kind == CONDITION_TRUE || right->kind == CONDITION_FALSE) {
        return right;
    }
    return make(stack, (Condition){ .kind = CONDITION_AND, .left = left, .right = right });
}

const Condition *condition_or(Stack *stack, const Condition *left, const Condition *right) {
    if (left->kind == CONDITION_TRUE || right->kind == CONDITION_FALSE) {
        return left;
    }
    if (left->kind == CONDITION_FALSE || right->kind == CONDITION_TRUE) {
        return right;
    }
    return make(stack, (Condition){ .kind = CONDITION_OR, .left = left, .right = right });
}

// decide ? yes : no
static const Condition *choose(Stack *stack, const Condition *decide, const Condition *yes, const Condition *no) {
    if (yes->kind == no->kind && (yes->kind == CONDITION_TRUE || yes->kind == CONDITION_FALSE)) {
        return yes;
    }
    const Condition *first = condition_and(stack, decide, yes);
    const Condition *second = condition_and(stack, condition_not(stack, decide), no);
    return condition_or(stack, first, second);
}

const Condition *condition_of(Stack *stack, const Value *value) {
    if (value->kind != VALUE_LATE) {
        return value->kind == VALUE_BOOL && value->boolean ? &CONSTANT_TRUE : &CONSTANT_FALSE;
    }
    const Late *late = value->late;
    switch (late->kind) {
    case LATE_PARAM:
        return make(stack, (Condition){ .kind = CONDITION_IS_TRUE, .param = late->param });
    case LATE_IF:
        return choose(stack, condition_of(stack, late->parts[0]), condition_of(stack, late->parts[1]),
                      condition_of(stack, late->parts[2]));
    case LATE_DEFAULT:
        return choose(stack, condition_given(stack, late->parts[0]), condition_of(stack, late->parts[0]),
                      condition_of(stack, late->parts[1]));
    case LATE_PSEUDO:
    case LATE_OUTPUT:
    case LATE_WRITTEN_OUTPUT:
    case LATE_REF:
    case LATE_ATTRIBUTE:
    case LATE_TEXT:
    case LATE_ITEM:
        break; // the checker lets no bool come from these: conditions may not refer to resources
    }
    assert(false && "a bool that no condition can stand for");
    return &CONSTANT_FALSE;
}

const Condition *condition_given(Stack *stack, const Value *value) {
    if (value->kind != VALUE_LATE) {
        return value->kind == VALUE_NULL ? &CONSTANT_FALSE : &CONSTANT_TRUE;
    }
    const Late *late = value->late;
    if (late->kind == LATE_PARAM && late->param->is_optional) {
        return make(stack, (Condition){ .kind = CONDITION_GIVEN, .param = late->param });
    }
    if (late->kind == LATE_DEFAULT) {
        return condition_or(stack, condition_given(stack, late->parts[0]), condition_given(stack, late->parts[1]));
    }
    if (late->kind == LATE_IF) {
        return choose(stack, condition_of(stack, late->parts[0]), condition_given(stack, late->parts[1]),
                      condition_given(stack, late->parts[2]));
    }
    return &CONSTANT_TRUE;
}

static Str param_name(Stack *stack, const Condition *condition) {
    return stack_pascal(stack, condition->param->name);
}

static Str make_name(Stack *stack, const Condition *condition) {
    Arena *arena = stack->arena;
    switch (condition->kind) {
    case CONDITION_GIVEN:
        return str_format(arena, "Has%.*s", STR_ARG(param_name(stack, condition)));
    case CONDITION_IS_TRUE:
        return str_format(arena, "%.*sIsTrue", STR_ARG(param_name(stack, condition)));
    case CONDITION_NOT:
        // What is not given, or not true, has words of its own.
        if (condition->left->kind == CONDITION_GIVEN) {
            return str_format(arena, "No%.*s", STR_ARG(param_name(stack, condition->left)));
        }
        if (condition->left->kind == CONDITION_IS_TRUE) {
            return str_format(arena, "%.*sIsFalse", STR_ARG(param_name(stack, condition->left)));
        }
        return str_format(arena, "Not%.*s", STR_ARG(make_name(stack, condition->left)));
    case CONDITION_AND:
        return str_format(arena, "%.*sAnd%.*s", STR_ARG(make_name(stack, condition->left)),
                          STR_ARG(make_name(stack, condition->right)));
    case CONDITION_OR:
        return str_format(arena, "%.*sOr%.*s", STR_ARG(make_name(stack, condition->left)),
                          STR_ARG(make_name(stack, condition->right)));
    case CONDITION_TRUE:
    case CONDITION_FALSE:
        break;
    }
    assert(false && "a constant condition has no name");
    return STR_NONE;
}

// !Equals [!Ref Param, text]. A list cannot be compared; its items as one text can.
static DocNode *equals(Stack *stack, const Param *param, const char *text) {
    doc_because(stack->doc, origin_span(stack->arena, param->span));
    DocNode *value = intrinsic_ref(stack, stack_param(stack, param));
    if (param->type->kind == TYPE_LIST) {
        value = intrinsic_call(stack, CALL_JOIN, tree_text(stack->doc, WHY_CONDITION, ""), value);
    }
    DocNode *node = intrinsic_call(stack, CALL_EQUALS, value, tree_text(stack->doc, WHY_CONDITION, text));
    doc_unbecause(stack->doc);
    return node;
}

// A part of a formula, by name.
static DocNode *part(Stack *stack, const Condition *condition) {
    Str name = condition_name(stack, condition);
    return doc_call(stack->doc, CALL_CONDITION, tree_string(stack->doc, WHY_CONDITION, name));
}

// One after the other: each enters the section when it is first named.
static DocNode *both(Stack *stack, DocCall call, const Condition *condition) {
    DocNode *left = part(stack, condition->left);
    DocNode *right = part(stack, condition->right);
    return intrinsic_call(stack, call, left, right);
}

static DocNode *formula(Stack *stack, const Condition *condition) {
    switch (condition->kind) {
    case CONDITION_GIVEN:
        return doc_call(stack->doc, CALL_NOT, tree_list_of(stack->doc, equals(stack, condition->param, "")));
    case CONDITION_IS_TRUE:
        return equals(stack, condition->param, "true");
    case CONDITION_NOT:
        return doc_call(stack->doc, CALL_NOT, tree_list_of(stack->doc, part(stack, condition->left)));
    case CONDITION_AND:
        return both(stack, CALL_AND, condition);
    case CONDITION_OR:
        return both(stack, CALL_OR, condition);
    case CONDITION_TRUE:
    case CONDITION_FALSE:
        break;
    }
    assert(false && "a constant condition has no formula");
    return NULL;
}

static bool is_same(const Condition *a, const Condition *b) {
    if (a == NULL || b == NULL || a == b) {
        return a == b;
    }
    return a->kind == b->kind && a->param == b->param && is_same(a->left, b->left) && is_same(a->right, b->right);
}

Str condition_name(Stack *stack, const Condition *condition) {
    const Str base = make_name(stack, condition);
    Str name = base;
    // Two formulas may have one name: of `has_odcr`, and of an optional `odcr_is_true`.
    for (uint32_t number = 2;; number++) {
        const Condition *other = str_map_get(&stack->named_conditions, name);
        if (other != NULL && is_same(other, condition)) {
            return name;
        }
        if (other == NULL) {
            break;
        }
        name = str_format(stack->arena, "%.*s%" PRIu32, STR_ARG(base), number);
    }
    str_map_add(&stack->named_conditions, name, condition);
    // The parts enter the section while the formula is made, and so come first.
    DocNode *node = formula(stack, condition);
    doc_put(stack->doc, stack->conditions, name, node);
    return name;
}

DocNode *condition_if(Stack *stack, const Condition *condition, DocNode *then, DocNode *otherwise) {
    if (condition->kind == CONDITION_NOT) {
        return condition_if(stack, condition->left, otherwise, then);
    }
    DocNode *list = doc_list(stack->doc);
    doc_add(stack->doc, list, tree_string(stack->doc, WHY_CONDITION, condition_name(stack, condition)));
    doc_add(stack->doc, list, then);
    doc_add(stack->doc, list, otherwise);
    return doc_call(stack->doc, CALL_IF, list);
}
