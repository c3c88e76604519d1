// Helpers for the rules about fields.
#include "compiler/plan/rules/rules_field.h"

Span rule_span(const PlanField *field) {
    return span_is_none(field->span) ? field->key : field->span;
}

void rule_label_use(const Rules *rules, Diag *diag, const PlanField *field) {
    enum { NEAR_BYTES = 200 };
    if (span_is_none(field->key) || span_equal(rule_span(field), field->key)) {
        return;
    }
    bool is_near = field->span.source == field->key.source && field->span.start >= field->key.end &&
                   field->span.start <= field->key.end + NEAR_BYTES;
    if (!is_near) {
        diag_label(rules->session, diag, field->key, "`%s` takes it here", field->name);
    }
}

void rule_refuse(Diag *diag, const PlanLaunch *launch) {
    diag->can_be_allowed = launch->maker != NULL;
}

void rule_fix(const Rules *rules, Diag *diag, const PlanField *field, Str replacement) {
    Str written = source_text(rules->session, field->span);
    bool is_literal = str_equal(written, field->text) ||
                      str_equal(written, str_format(rules->session->arena, "\"%.*s\"", STR_ARG(field->text)));
    if (field->is_own && is_literal) {
        diag_fix(rules->session, diag, field->span, replacement);
    }
}
