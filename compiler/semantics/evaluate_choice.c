// Evaluates choices, `? :` and `??`. Only the taken arm is evaluated. A late choice keeps both.
#include "compiler/semantics/evaluator.h"

// A tag around a late optional is one itself: reservation(odcr) is null where `odcr` is.
static bool is_late_optional(const Value *value) {
    if (value->kind == VALUE_TAG && value->tag.count == 1) {
        return is_late_optional(value->tag.arguments[0]);
    }
    return value_may_be_null(value);
}

// What keeps a late value from choosing: the value itself, or what stands behind a `??` in it. NULL: nothing does.
static const Value *not_a_choice(const Value *value) {
    if (value->kind == VALUE_LATE && value->late->kind == LATE_DEFAULT) {
        const Value *left = not_a_choice(value->late->parts[0]);
        return left != NULL ? left : not_a_choice(value->late->parts[1]);
    }
    const Type *type = value->kind == VALUE_LATE ? value->late->type : NULL;
    return value->kind == VALUE_BOOL || (type != NULL && type->kind == TYPE_BOOL) ? NULL : value;
}

static const Value *late_choice(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected,
                                const Value *condition) {
    const Value *wrong = not_a_choice(condition);
    if (wrong != NULL) {
        // If the wrong value is a name, the place where it is used, not where it was declared.
        const Span whole = expr->conditional.condition->span;
        const bool is_part = span_holds(whole, wrong->span);
        Diag *diag = report(evaluator->session, is_part ? wrong->span : whole, DIAG(late_condition_type),
                            late_describe(evaluator, wrong));
        if (wrong->kind != VALUE_LATE) {
            diag_help(evaluator->session, diag, "write `true` or `false`");
        }
        return make_error(evaluator, expr->span);
    }
    if (condition->late->is_optional) {
        Span span = expr->conditional.condition->span;
        Diag *diag = report(evaluator->session, span, DIAG(late_condition_type), late_describe(evaluator, condition));
        diag_help(evaluator->session, diag, "say what holds without it: `%.*s ?? false`",
                  STR_ARG(source_text(evaluator->session, span)));
        return make_error(evaluator, expr->span);
    }
    const Value **parts = arena_new_array(evaluator->arena, const Value *, 3);
    parts[0] = condition;
    parts[1] = evaluate(evaluator, expr->conditional.then, env, expected);
    parts[2] = evaluate(evaluator, expr->conditional.otherwise, env, expected);
    if (parts[1]->kind == VALUE_ERROR || parts[2]->kind == VALUE_ERROR) {
        return make_error(evaluator, expr->span);
    }
    bool is_optional = parts[1]->kind == VALUE_NULL || parts[2]->kind == VALUE_NULL || is_late_optional(parts[1]) ||
                       is_late_optional(parts[2]);
    const Late late = { .kind = LATE_IF, .type = NULL, .is_optional = is_optional, .parts = parts, .part_count = 3 };
    const Origin *origin = origin_join(evaluator->arena, condition->origin,
                                       origin_join(evaluator->arena, parts[1]->origin, parts[2]->origin));
    return make_late(evaluator, expr->span, origin, &late);
}

const Value *evaluate_conditional(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected) {
    const Value *condition = evaluate(evaluator, expr->conditional.condition, env, NULL);
    if (condition->kind == VALUE_ERROR) {
        return condition;
    }
    if (condition->kind == VALUE_LATE) {
        return late_choice(evaluator, expr, env, expected, condition);
    }
    if (condition->kind != VALUE_BOOL) {
        report(evaluator->session, expr->conditional.condition->span, DIAG(operand_type), "`? :`", "a bool",
               value_describe(condition));
        return make_error(evaluator, expr->span);
    }
    const Expr *arm = condition->boolean ? expr->conditional.then : expr->conditional.otherwise;
    return make_because(evaluator, evaluate(evaluator, arm, env, expected), condition->origin);
}

// A reservation that the build is given and that another one takes the place of. Who pays for two wants to know; of
// other values, what stands behind `??` is a default and may well be there.
static void check_unused(Evaluator *evaluator, const Expr *expr, const Env *env) {
    static const char *const TAGS[] = { "reservation", "reservation_group", "capacity_block" };
    const bool is_tag = expr->kind == EXPR_CALL && expr->call.arguments.count == 1;
    const Expr *argument = is_tag ? expr->call.arguments.items[0] : NULL;
    for (size_t i = 0; is_tag && argument->kind == EXPR_NAME && i < COUNT_OF(TAGS); i++) {
        const Declaration *declaration =
            str_is(expr->call.function.text, TAGS[i]) ? scope_find(env->module, argument->name) : NULL;
        if (declaration != NULL && declaration->kind == DECLARATION_PARAM && declaration->param != NULL &&
            declaration->param->is_given && declaration->param->value->kind == VALUE_STRING) {
            report(evaluator->session, expr->span, DIAG(alternative_unused), STR_ARG(argument->name));
        }
    }
}

// Whether the text itself says that it is never null: a word or a literal, or a tag around one.
static bool is_always_there(const Expr *expr, const Type *expected) {
    switch (expr->kind) {
    case EXPR_NAME:
        return schema_find_word(expected, expr->name) != NULL;
    case EXPR_CALL:
        return expr->call.arguments.count == 1 && expr->call.arguments.items[0]->kind == EXPR_STRING;
    case EXPR_BINARY:
        return expr->binary.op == BINARY_DEFAULT && is_always_there(expr->binary.right, expected);
    case EXPR_BOOL:
    case EXPR_INT:
    case EXPR_QUANTITY:
    case EXPR_STRING:
    case EXPR_TEMPLATE:
    case EXPR_RANGE:
    case EXPR_LIST:
    case EXPR_MAP:
        return true;
    case EXPR_ERROR:
    case EXPR_NULL:
    case EXPR_FIELD:
    case EXPR_INDEX:
    case EXPR_UNARY:
    case EXPR_CONDITIONAL:
        break;
    }
    return false;
}

static void default_unused(Evaluator *evaluator, const Expr *expr) {
    const Expr *right = expr->binary.right;
    Diag *diag = report(evaluator->session, right->span, DIAG(default_unused),
                        STR_ARG(source_text(evaluator->session, right->span)));
    diag_label(evaluator->session, diag, expr->binary.left->span, "always there");
    diag_help(evaluator->session, diag,
              "remove it; of two groups of nodes in one `queue` the second is taken where the first has none");
}

const Value *evaluate_default(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected) {
    const Value *left = evaluate(evaluator, expr->binary.left, env, expected);
    if (left->kind == VALUE_NULL) {
        return make_because(evaluator, evaluate(evaluator, expr->binary.right, env, expected), left->origin);
    }
    if (!is_late_optional(left)) {
        if (is_always_there(expr->binary.left, expected)) {
            default_unused(evaluator, expr);
        } else if (left->kind == VALUE_TAG) {
            check_unused(evaluator, expr->binary.right, env);
        }
        return left;
    }
    const Value *right = evaluate(evaluator, expr->binary.right, env, expected);
    if (right->kind == VALUE_ERROR || right->kind == VALUE_NULL) {
        return right->kind == VALUE_NULL ? left : right;
    }
    const Value **parts = arena_new_array(evaluator->arena, const Value *, 2);
    parts[0] = left;
    parts[1] = right;
    const Late late = { .kind = LATE_DEFAULT,
                        .type = left->kind == VALUE_LATE ? left->late->type : NULL,
                        .is_optional = is_late_optional(right),
                        .parts = parts,
                        .part_count = 2 };
    return make_late(evaluator, expr->span, origin_join(evaluator->arena, left->origin, right->origin), &late);
}
