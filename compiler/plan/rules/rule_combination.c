// Findings about what a service takes together, and how many of something it takes.
#include "compiler/plan/rules/rule_combination.h"

#include "compiler/plan/model/allow.h"

Diag *rule_entries(const Rules *rules, const Subject *subject, Span span, const char *name, uint32_t count,
                   const char *service, int most) {
    return plan_report(rules->session, subject, span, DIAG(entries_too_many), STR_ARG(str_of(name)), count, service,
                       most);
}

Diag *rule_combination(const Rules *rules, const Subject *subject, Span span, const char *service, Str key, Str others,
                       const char *consequence) {
    return consequence == NULL
               ? plan_report(rules->session, subject, span, DIAG(combination), service, STR_ARG(key), STR_ARG(others))
               : plan_report(rules->session, subject, span, DIAG(combination_harmful), STR_ARG(key), STR_ARG(others),
                             consequence);
}
