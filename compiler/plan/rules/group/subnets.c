// Rules about the subnets that the nodes of a group stand in: their zones, their addresses, and whether they are public.
#include "compiler/plan/rules/group/spelling.h"
#include "compiler/plan/rules/rule_insert.h"

#include "compiler/plan/model/allow.h"

// EC2 gives no public address to a node with several interfaces.
void rule_group_public(const Rules *rules, const PlanGroup *group) {
    const PlanNodeSubnets *subnets = &group->subnets;
    const PlanField *place = &subnets->public;
    if (place->state == FIELD_ABSENT || group->interfaces < 2) {
        return;
    }
    Diag *diag =
        group_report(rules, group, rule_span(place), DIAG(public_subnet), STR_ARG(group->name), group->interfaces);
    if (!span_is_none(subnets->public_span)) {
        diag_label(rules->session, diag, subnets->public_span, "a public subnet");
    }
    diag_label(rules->session, diag, group->span_of_interfaces, "%d network interfaces a node", group->interfaces);
    diag_help(rules->session, diag, "%s", subnets->private_help);
    if (subnets->private.state == FIELD_KNOWN) {
        rule_fix(rules, diag, &subnets->private, STR("true"));
    } else if (subnets->private.name != NULL) {
        rule_insert_beside(rules, diag, rule_span(place), str_of(subnets->private.name), STR("true"));
    }
}

// A node takes one address at least, whatever its launch is.
void rule_group_addresses(const Rules *rules, const PlanGroup *group) {
    const int64_t each = group->addresses > 1 ? group->addresses : 1;
    const int64_t most = group_most(group);
    const int64_t free = group->subnets.free_addresses;
    if (free < 0 || most < 0 || most > INT32_MAX || most * each <= free) {
        return;
    }
    Diag *diag =
        group_report(rules, group, group->subnets.key, DIAG(subnet_small), STR_ARG(group->name), most * each, free);
    if (!span_equal(rule_span(&group->most), group->subnets.key)) {
        diag_label(rules->session, diag, rule_span(&group->most), "%" PRId64 " nodes at most", most);
    }
    if (group->addresses > 0) {
        diag_label(rules->session, diag, group->span_of_interfaces, "%" PRId64 " address%s a node", each,
                   each == 1 ? "" : "es");
    }
    if (!span_is_none(group->subnets.blocks)) {
        diag_label(rules->session, diag, group->subnets.blocks, "the private subnets are parts of these");
    }
    if (group->least_addresses > 0) {
        diag_help(rules->session, diag, "write `efa_layout = min_ip`: %" PRId64 " address a node",
                  group->least_addresses);
    }
    rule_write(rules, diag, group, SPELL_ADDRESSES, &group->most, "");
}

void rule_group_zone(const Rules *rules, const PlanGroup *group) {
    const PlanNodeSubnets *subnets = &group->subnets;
    for (uint32_t i = 0; i < subnets->zones_elsewhere.count; i++) {
        const PlanField *zone = &subnets->zones_elsewhere.items[i];
        Diag *diag = plan_report(rules->session, subnets->has_no_place ? NULL : group->subject, rule_span(zone),
                                 DIAG(zone_not_in_network), STR_ARG(zone->text), STR_ARG(subnets->network));
        diag->can_be_allowed = !subnets->has_no_place;
        if (!span_is_none(subnets->network_zones)) {
            diag_label(rules->session, diag, subnets->network_zones, "%s", subnets->network_label);
        }
        if (subnets->zone_help != NULL) {
            diag_help(rules->session, diag, "%s", subnets->zone_help);
        }
    }
}
