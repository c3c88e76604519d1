// Looks for values that may be null where null costs money: `capacity = reservation(odcr)` is bought at the list price
// where nobody gives `odcr`. Whether a value may be null is asked of what is written and not of this build alone, so
// that the build without the value is not the first to say so. A `null` that is written for the attribute itself says
// what it is.
#include "compiler/semantics/evaluator.h"

enum { NAMES_MAX = 200 }; // that lead to each other; a circle of them was reported

// A condition under which an expression is evaluated.
typedef struct Guard {
    const Origin *origin;
    const struct Guard *outer;
} Guard;

typedef struct {
    Evaluator *evaluator;
    const Draft *draft; // whose attribute it is
    const AttributeRow *row;
    const Param *param; // that may be null; NULL: no param is the reason
    uint32_t depth;
    bool is_good;
} Search;

// Where an expression stands.
typedef struct {
    const Env *env;
    const Type *expected;
    const Guard *guards;
} Where;

static bool may_be_null(Search *search, const Expr *expr, Where where);

// ---- conditions --------------------------------------------------------------------------------------------------

static bool origin_holds(const Origin *origin, const Origin *part) {
    if (origin == NULL || origin == part) {
        return origin != NULL;
    }
    return origin->kind == ORIGIN_JOIN && (origin_holds(origin->left, part) || origin_holds(origin->right, part));
}

static bool is_asserted(Search *search, const Placed *placed, const Origin *part) {
    if (placed->item->kind != ITEM_ASSERT || placed->env->module->is_used) {
        return false;
    }
    const Value *condition = evaluate(search->evaluator, placed->item->assertion.condition, placed->env, NULL);
    return origin_holds(condition->origin, part);
}

// Whether a condition around it, or an assertion, asked for the param. Then its value in this build decides.
static bool is_asked_for(Search *search, const Param *param, const Guard *guards) {
    const Origin *part = param->value->origin;
    for (const Guard *guard = guards; guard != NULL; guard = guard->outer) {
        if (origin_holds(guard->origin, part)) {
            return true;
        }
    }
    for (const Draft *draft = search->draft; draft != NULL; draft = draft->outer->draft) {
        if (origin_holds(draft->outer->because, part)) {
            return true;
        }
        for (uint32_t i = 0; i < draft->placed.count; i++) {
            if (is_asserted(search, &draft->placed.items[i], part)) {
                return true;
            }
        }
    }
    for (uint32_t i = 0; i < search->evaluator->placed.count; i++) {
        if (is_asserted(search, &search->evaluator->placed.items[i], part)) {
            return true;
        }
    }
    return false;
}

// ---- expressions -------------------------------------------------------------------------------------------------

static bool value_is_null(Search *search, const Expr *expr, Where where) {
    const Value *value = evaluate(search->evaluator, expr, where.env, where.expected);
    return value->kind == VALUE_NULL || value_may_be_null(value);
}

static bool declaration_may_be_null(Search *search, const Declaration *declaration, Where where) {
    const Param *param = declaration->param;
    switch (declaration->kind) {
    case DECLARATION_PARAM: {
        const bool is_null = param != NULL && param->is_optional && param->value != NULL &&
                             param->value->kind != VALUE_ERROR &&
                             (param->value->kind == VALUE_NULL || !is_asked_for(search, param, where.guards));
        search->param = is_null ? param : search->param;
        return is_null;
    }
    case DECLARATION_LET: {
        const Env env = { .module = declaration->module };
        const Where there = { .env = &env, .guards = where.guards };
        return may_be_null(search, declaration->item->let.value, there);
    }
    case DECLARATION_USE:
    case DECLARATION_BLOCK:
        return false;
    }
    return false;
}

static bool name_may_be_null(Search *search, const Expr *expr, Where where) {
    if (schema_find_word(where.expected, expr->name) != NULL) {
        return false;
    }
    const Declaration *declaration =
        scope_find_loop(where.env, expr->name) != NULL ? NULL : scope_find(where.env->module, expr->name);
    return declaration != NULL ? declaration_may_be_null(search, declaration, where)
                               : value_is_null(search, expr, where);
}

// other.odcr of a file in use; other fields are there or not.
static bool field_may_be_null(Search *search, const Expr *expr, Where where) {
    const Value *object =
        expr->field.object->kind == EXPR_NAME ? evaluate(search->evaluator, expr->field.object, where.env, NULL) : NULL;
    const Declaration *declaration =
        object != NULL && object->kind == VALUE_MODULE ? scope_find(object->module, expr->field.name.text) : NULL;
    return declaration != NULL ? declaration_may_be_null(search, declaration, where)
                               : value_is_null(search, expr, where);
}

// A tag of null is null.
static bool call_may_be_null(Search *search, const Expr *expr, Where where) {
    const Str name = expr->call.function.text;
    const Type *wanted = schema_find_tag(where.expected, name);
    const Type *tag = wanted != NULL || builtin_find(name) != NULL ? wanted : type_any_tag(name);
    if (tag == NULL || expr->call.arguments.count == 0) {
        return false;
    }
    const Where inside = { .env = where.env, .expected = type_of_argument(tag, 0), .guards = where.guards };
    return may_be_null(search, expr->call.arguments.items[0], inside);
}

// The arm that this build takes; both arms of a late choice.
static bool choice_may_be_null(Search *search, const Expr *expr, Where where) {
    const Value *condition = evaluate(search->evaluator, expr->conditional.condition, where.env, NULL);
    const Guard guard = { .origin = condition->origin, .outer = where.guards };
    const Where inside = { .env = where.env, .expected = where.expected, .guards = &guard };
    const bool is_late = condition->kind == VALUE_LATE;
    const bool is_true = condition->kind == VALUE_BOOL && condition->boolean;
    const bool is_false = condition->kind == VALUE_BOOL && !condition->boolean;
    return ((is_true || is_late) && may_be_null(search, expr->conditional.then, inside)) ||
           ((is_false || is_late) && may_be_null(search, expr->conditional.otherwise, inside));
}

static bool may_be_null(Search *search, const Expr *expr, Where where) {
    if (search->depth == NAMES_MAX) {
        return false;
    }
    search->depth++;
    bool is_null = false;
    if (expr->kind == EXPR_NULL) {
        is_null = true;
    } else if (expr->kind == EXPR_NAME) {
        is_null = name_may_be_null(search, expr, where);
    } else if (expr->kind == EXPR_FIELD) {
        is_null = field_may_be_null(search, expr, where);
    } else if (expr->kind == EXPR_CALL) {
        is_null = call_may_be_null(search, expr, where);
    } else if (expr->kind == EXPR_CONDITIONAL) {
        is_null = choice_may_be_null(search, expr, where);
    } else if (expr->kind == EXPR_BINARY && expr->binary.op == BINARY_DEFAULT) {
        is_null = may_be_null(search, expr->binary.left, where) && may_be_null(search, expr->binary.right, where);
    } else if (expr->kind == EXPR_INDEX) {
        is_null = value_is_null(search, expr, where);
    }
    search->depth--;
    return is_null;
}

// ---- the last part -----------------------------------------------------------------------------------------------

static void report_null(Search *search, const Expr *part) {
    Session *session = search->evaluator->session;
    const AttributeRow *row = search->row;
    const Param *param = search->param;
    Diag *diag = report(session, part->span, DIAG(may_be_null), row->name, row->null_means);
    if (param != NULL && !span_is_none(param->span)) {
        diag_label(session, diag, param->span, "may be left out");
    }
    const Str declare =
        param == NULL ? STR_NONE : str_format(session->arena, "declare `%.*s` without `?`", STR_ARG(param->name));
    if (row->null_word == NULL) {
        diag_help(session, diag, "%.*s%smake a block for each case, inside of an `if`", STR_ARG(declare),
                  param == NULL ? "" : ", or ");
    } else if (part->kind == EXPR_NULL) {
        diag_help(session, diag, "write `%s`", row->null_word);
        diag_fix(session, diag, part->span, str_of(row->null_word));
    } else {
        diag_help(session, diag, "write `?? %s` behind it, or another part that is always there%s%.*s", row->null_word,
                  param == NULL ? "" : "; or ", STR_ARG(declare));
        const Span end = { .source = part->span.source, .start = part->span.end, .end = part->span.end };
        diag_fix(session, diag, end, str_format(session->arena, " ?? %s", row->null_word));
    }
    search->is_good = false;
}

// Follows what is written to the parts behind which nothing stands. `is_behind`: a `??` is before it.
static void check_last(Search *search, const Expr *expr, Where where, bool is_behind) {
    if (expr->kind == EXPR_BINARY && expr->binary.op == BINARY_DEFAULT) {
        if (may_be_null(search, expr->binary.left, where)) {
            check_last(search, expr->binary.right, where, true);
        }
        return;
    }
    if (expr->kind == EXPR_CONDITIONAL) {
        const Value *condition = evaluate(search->evaluator, expr->conditional.condition, where.env, NULL);
        const Guard guard = { .origin = condition->origin, .outer = where.guards };
        const Where inside = { .env = where.env, .expected = where.expected, .guards = &guard };
        if (condition->kind == VALUE_LATE || (condition->kind == VALUE_BOOL && condition->boolean)) {
            check_last(search, expr->conditional.then, inside, is_behind);
        }
        if (condition->kind == VALUE_LATE || (condition->kind == VALUE_BOOL && !condition->boolean)) {
            check_last(search, expr->conditional.otherwise, inside, is_behind);
        }
        return;
    }
    search->param = NULL;
    const bool is_written = expr->kind == EXPR_NULL && !is_behind;
    if (!is_written && may_be_null(search, expr, where)) {
        report_null(search, expr);
    }
}

// Another attribute says that the thing is there: `private` beside a `vpc` that may be null, say.
static bool is_there_anyway(const Search *search) {
    const KindRow *kind = search->draft->block.kind;
    for (int i = 0; i < kind->attribute_count; i++) {
        const AttributeRow *other = &kind->attributes[i];
        const Slot *slot = search->draft->slots[i];
        const bool is_one = other != search->row && other->null_means != NULL && slot != NULL && slot->value != NULL &&
                            slot->value->kind != VALUE_ERROR && strcmp(other->null_means, search->row->null_means) == 0;
        Search asked = *search;
        if (is_one && !may_be_null(&asked, slot->expr, (Where){ .env = slot->env, .expected = other->type })) {
            return true;
        }
    }
    return false;
}

bool check_null(Evaluator *evaluator, const Draft *draft, const AttributeRow *row, Slot *slot) {
    if (row->null_means == NULL || slot->is_null_checked || slot->value == NULL || slot->value->kind == VALUE_ERROR) {
        return true;
    }
    slot->is_null_checked = true;
    Search search = { .evaluator = evaluator, .draft = draft, .row = row, .is_good = true };
    if (!is_there_anyway(&search)) {
        check_last(&search, slot->expr, (Where){ .env = slot->env, .expected = row->type }, false);
    }
    return search.is_good;
}
