// Finds subnets of two zones.
#include "compiler/plan/rules/subnet_zones.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rules_field.h"

void subnet_zones_check(const Rules *rules, const Subject *subject, Str name, const PlanNodeSubnets *subnets) {
    for (uint32_t i = 1; i < subnets->zones.count; i++) {
        const PlanField *first = &subnets->zones.items[0];
        const PlanField *zone = &subnets->zones.items[i];
        if (!str_equal(zone->text, first->text)) {
            Diag *diag = plan_report(rules->session, subject, subnets->key, DIAG(subnets_of_zones), STR_ARG(name),
                                     STR_ARG(first->text), STR_ARG(zone->text));
            diag_label(rules->session, diag, rule_span(first), "one subnet is here");
            diag_label(rules->session, diag, rule_span(zone), "another is here");
            diag_help(rules->session, diag, "name the subnets of one zone");
            return;
        }
    }
}
