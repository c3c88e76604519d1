// Reports a late value where a known one is needed. Says which input makes it late, and how that input can become
// known.
#include "compiler/semantics/evaluator.h"

// The first late param in the value; NULL where only the stack itself is asked (aws.region, lab.vpc).
static const Param *first_param(const Value *value) {
    if (value->kind == VALUE_LATE && value->late->kind == LATE_PARAM) {
        return value->late->param;
    }
    const Param *param = NULL;
    const Value *part;
    for (uint32_t i = 0; param == NULL && (part = value_part(value, i)) != NULL; i++) {
        param = first_param(part);
    }
    return param;
}

// Only an input can be made known; what a stack makes cannot.
static void show_input(Evaluator *evaluator, Diag *diag, const Value *value) {
    const Param *param = first_param(value);
    if (value->kind == VALUE_LATE && value->late->kind == LATE_WRITTEN_OUTPUT) {
        diag_help(evaluator->session, diag, "refer to what stands behind `output %.*s =`", STR_ARG(value->late->name));
    }
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
