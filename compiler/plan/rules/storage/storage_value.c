// Reports values of storage.
#include "compiler/plan/rules/storage/storage_value.h"

#include "compiler/plan/model/allow.h"

Diag *storage_bad_value(const Rules *rules, const Subject *subject, const PlanField *field, Str fault) {
    return plan_report(rules->session, subject, rule_span(field), DIAG(storage_value), field->name,
                       STR_ARG(field->text), str_c(rules->session->arena, fault));
}
