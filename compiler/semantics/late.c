// Reports a late value where a known one is needed. Says which input makes it late, and how that input can become
// known.
#include "compiler/semantics/evaluator.h"

static const Param *first_param(const Value *value);

static const Param *first_param_of(const Value *const *values, uint32_t count) {
    const Param *param = NULL;
    for (uint32_t i = 0; i < count && param == NULL; i++) {
        param = first_param(values[i]);
    }
    return param;
}

// The first late param in the value; NULL where only the stack itself is asked (aws.region, lab.vpc).
static const Param *first_param(const Value *value) {
    switch (value->kind) {
    case VALUE_LATE:
        return value->late->kind == LATE_PARAM ? value->late->param
                                               : first_param_of(value->late->parts, value->late->part_count);
    case VALUE_RANGE: {
        const Value *const ends[] = { value->range.low, value->range.high };
        return first_param_of(ends, COUNT_OF(ends));
    }
    case VALUE_LIST:
        return first_param_of(value->list.items, value->list.count);
    case VALUE_TAG:
        return first_param_of(value->tag.arguments, value->tag.count);
    case VALUE_ERROR:
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_STRING:
    case VALUE_SIZE:
    case VALUE_RATE:
    case VALUE_DURATION:
    case VALUE_WORD:
    case VALUE_MAP:
    case VALUE_BLOCK:
    case VALUE_RESOURCE:
    case VALUE_MODULE:
    case VALUE_KIND_COUNT:
        return NULL;
    }
    return NULL;
}

// Only an input can be made known; what a stack makes cannot.
static void show_input(Evaluator *evaluator, Diag *diag, const Value *value) {
    const Param *param = first_param(value);
    if (param == NULL) {
        diag_note(evaluator->session, diag, "what a stack makes and where it runs is known only when it is deployed");
        return;
    }
    diag_label(evaluator->session, diag, param->span, "given when the stack is deployed");
    diag_help(evaluator->session, diag, "write `param %.*s`, without `late`, or give it a value with `-p %.*s=…`",
              STR_ARG(param->name), STR_ARG(param->name));
}

const Value *late_operand(Evaluator *evaluator, const Expr *expr, const Value *value, const char *what) {
    show_input(evaluator, report(evaluator->session, expr->span, DIAG(late_operand), what), value);
    return make_error(evaluator, expr->span);
}

const Value *late_where_known(Evaluator *evaluator, const Expr *expr, const Value *value, const char *what) {
    show_input(evaluator, report(evaluator->session, expr->span, DIAG(late_where_known), what), value);
    return make_error(evaluator, expr->span);
}

const char *late_describe(Evaluator *evaluator, const Value *value) {
    if (value->kind != VALUE_LATE || value->late->type == NULL) {
        return value_describe(value);
    }
    return str_c(evaluator->arena, str_format(evaluator->arena, "a late `%s%s`", value->late->type->name,
                                              value->late->is_optional ? "?" : ""));
}
