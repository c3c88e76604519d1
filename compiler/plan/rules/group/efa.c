// Nodes that are to work as one: they have EFA, and stand in one zone.
#include "compiler/plan/rules/group/spelling.h"

#include "compiler/plan/model/allow.h"
#include "schema/names.h"

// Of a group that is on Batch the jobs say how many nodes belong together; of others, their number has to do.
void rule_group_efa(const Rules *rules, const PlanGroup *group) {
    const int64_t most = group->job_nodes > 0 ? group->job_nodes : group_most(group);
    const PlanType *type = group_type_for_efa(group);
    const bool is_alone = group->works_together == ANSWER_NO || group_shares_gpus(group);
    if (most < 2 || is_alone || group->has_efa != ANSWER_NO || type == NULL) {
        return;
    }
    const bool is_written = group->efa.state == FIELD_KNOWN;
    const Span span = rule_span(is_written ? &group->efa : &type->field);
    Diag *diag = group_report(rules, group, span, DIAG(efa_refused), most, type->row->name);
    if (is_written) {
        diag_label(rules->session, diag, rule_span(&type->field), "has %d EFA interfaces", type->row->efa_max);
    } else {
        diag_primary_label(rules->session, diag, "has %d EFA interfaces", type->row->efa_max);
    }
    rule_write(rules, diag, group, SPELL_EFA_ANY, &group->efa, rule_or_allow(rules, diag, group, span));
}

void rule_group_zones(const Rules *rules, const PlanGroup *group) {
    const PlanNodeSubnets *subnets = &group->subnets;
    for (uint32_t i = 1; group_wants_one_zone(group) && i < subnets->zones.count; i++) {
        const PlanField *first = &subnets->zones.items[0];
        const PlanField *zone = &subnets->zones.items[i];
        if (str_equal(zone->text, first->text)) {
            continue;
        }
        Diag *diag = group_report(rules, group, subnets->key, DIAG(subnets_of_zones), STR_ARG(group->name),
                                  STR_ARG(first->text), STR_ARG(zone->text));
        diag_label(rules->session, diag, rule_span(first), "one subnet is here");
        diag_label(rules->session, diag, rule_span(zone), "another is here");
        rule_write(rules, diag, group, SPELL_ONE_ZONE, NULL, "");
        return;
    }
}

static bool is_apart(const InstanceRow *row) {
    const Str name = str_of(row->name);
    return names_have(NAMES_EFA_FAMILIES_APART, str_slice(name, 0, str_find(name, STR("."), 0)));
}

void rule_group_types(const Rules *rules, const PlanGroup *group) {
    const PlanTypes *types = &group->types;
    for (uint32_t i = 1; group->has_efa == ANSWER_YES && group_most(group) != 1 && i < types->count; i++) {
        const PlanType *first = &types->items[0];
        const PlanType *other = &types->items[i];
        if (is_apart(first->row) != is_apart(other->row) && first->row->efa_max > 0 && other->row->efa_max > 0) {
            const Span span = rule_span(&other->field);
            Diag *diag = group_report(rules, group, span, DIAG(efa_types_mixed), STR_ARG(str_of(first->row->name)),
                                      STR_ARG(str_of(other->row->name)));
            diag_label(rules->session, diag, rule_span(&first->field), "stands beside this");
            rule_write(rules, diag, group, SPELL_GROUP_EACH, NULL, "");
            return;
        }
    }
}
