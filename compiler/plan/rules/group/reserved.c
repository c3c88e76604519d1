// A reservation of the same stack has the type, the zone and the number of the instances that are launched into it.
#include "compiler/plan/rules/group/spelling.h"

#include "compiler/plan/model/allow.h"

static Diag *report_apart(const Rules *rules, const PlanGroup *group, Span span, Str fault, const PlanField *reserved) {
    Diag *diag = group_report(rules, group, span, DIAG(reservation_apart), STR_ARG(group->launch->reserved->name),
                              STR_ARG(fault));
    diag_label(rules->session, diag, rule_span(reserved), "the reservation");
    return diag;
}

static void check_type(const Rules *rules, const PlanGroup *group) {
    const PlanField *type = &group->launch->reserved->type;
    bool has_it = group->has_other_types || group->types.count == 0 || type->state != FIELD_KNOWN;
    for (uint32_t i = 0; i < group->types.count; i++) {
        has_it = has_it || str_equal(str_of(group->types.items[i].row->name), type->text);
    }
    if (!has_it) {
        const PlanType *other = &group->types.items[0];
        const Str fault = str_format(rules->session->arena, "has %.*s, and the instances are %s", STR_ARG(type->text),
                                     other->row->name);
        diag_help(rules->session, report_apart(rules, group, rule_span(&other->field), fault, type),
                  "make the two types the same");
    }
}

// A name of a zone and an id of one cannot be compared.
static void check_zone(const Rules *rules, const PlanGroup *group) {
    const PlanField *zone = &group->launch->reserved->zone;
    bool may_be_there = zone->state != FIELD_KNOWN || group->subnets.zones.count == 0 || group->subnets.has_other_zones;
    for (uint32_t i = 0; i < group->subnets.zones.count; i++) {
        may_be_there = may_be_there || str_equal(group->subnets.zones.items[i].text, zone->text);
    }
    if (!may_be_there) {
        const Str fault =
            str_format(rules->session->arena, "is in %.*s, and the subnets of `%.*s` are in %.*s", STR_ARG(zone->text),
                       STR_ARG(group->name), STR_ARG(group->subnets.zones.items[0].text));
        diag_help(rules->session, report_apart(rules, group, group->subnets.key, fault, zone),
                  "name a subnet in %.*s, or reserve in the zone of the subnets", STR_ARG(zone->text));
    }
}

static void check_count(const Rules *rules, const PlanGroup *group) {
    const PlanField *count = &group->launch->reserved->count;
    const int64_t reserved = field_number(count, -1);
    const int64_t least = field_number(&group->low, -1);
    if (reserved >= 0 && least > reserved) {
        const Str fault =
            str_format(rules->session->arena, "has %" PRId64 " instance%s, and `%.*s` needs %" PRId64 " at least",
                       reserved, reserved == 1 ? "" : "s", STR_ARG(group->name), least);
        diag_help(rules->session, report_apart(rules, group, rule_span(&group->low), fault, count),
                  "reserve %" PRId64 ", or make the group smaller", least);
    }
}

void rule_group_reserved(const Rules *rules, const PlanGroup *group) {
    if (group->launch->reserved != NULL) {
        check_type(rules, group);
        check_zone(rules, group);
        check_count(rules, group);
    }
}
