#include "compiler/plan/rules/rule_written.h"

#include "compiler/plan/model/allow.h"

Diag *rule_without_effect(const Rules *rules, const PlanPart *part, int attribute, const char *why) {
    return plan_report(rules->session, part->subject, subject_key(part->subject, attribute), DIAG(without_effect),
                       part_attribute(part, attribute), why);
}

Diag *rule_bad_name(const Rules *rules, const Subject *subject, Span span, Str text, const char *what,
                    const char *fault) {
    return plan_report_once(rules->session, subject, span, DIAG(bad_name), STR_ARG(text), what, fault);
}
