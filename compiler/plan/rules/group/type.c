// What holds of the instance types of a group: where they are offered, how they are sold, where they can stand.
#include "compiler/plan/rules/group/spelling.h"
#include "compiler/plan/rules/rule_remove.h"

#include "compiler/plan/model/allow.h"

void rule_group_region(const Rules *rules, const PlanGroup *group) {
    const RegionRow *region = schema_region(group->region);
    for (uint32_t i = 0; i < group->types.count; i++) {
        const Span span = rule_span(&group->types.items[i].field);
        rule_offered(rules, group_subject_at(group, span), span, group->types.items[i].row, region, group->region_span);
    }
}

// ---- how they are sold -----------------------------------------------------------------------------------------------

static int offers(const InstanceRow *row, CapacityKind kind) {
    switch (kind) {
    case CAPACITY_SPOT:
        return row->capacity_spot;
    case CAPACITY_BLOCK:
        return row->capacity_block;
    case CAPACITY_ON_DEMAND:
        return row->capacity_on_demand;
    case CAPACITY_RESERVATION:
    case CAPACITY_RESERVATION_GROUP:
    case CAPACITY_INTERRUPTIBLE:
        // No source says which types can be reserved on demand, but for those that are not sold so.
        return row->capacity_on_demand == 0 && row->capacity_block == 1 ? 0 : UNKNOWN;
    }
    return UNKNOWN;
}

// "`on_demand`, `spot`", in the author's words.
static Str ways_of(const Rules *rules, const PlanGroup *group, const InstanceRow *row) {
    static const struct {
        CapacityKind kind;
        Spelling word;
    } KINDS[] = { { CAPACITY_ON_DEMAND, SPELL_ON_DEMAND },
                  { CAPACITY_SPOT, SPELL_SPOT },
                  { CAPACITY_BLOCK, SPELL_BLOCK } };
    StrBuf text = { .arena = rules->session->arena };
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        if (offers(row, KINDS[i].kind) == 1) {
            strbuf_add_format(&text, "%s`%s`", text.len == 0 ? "" : ", ", spelling(group, KINDS[i].word));
        }
    }
    return strbuf_str(&text);
}

static void report_not_offered(const Rules *rules, const PlanGroup *group, const PlanPurchase *purchase) {
    const PlanType *type = &group->types.items[0];
    const PlanField *field = &purchase->field;
    const bool is_written = field->state != FIELD_ABSENT;
    const bool is_null = !is_written && !span_is_none(field->key);
    const char *attribute = spelling(group, SPELL_PURCHASE);
    Diag *diag = group_report(rules, group, rule_span(field), DIAG(capacity_not_offered), type->row->name,
                              str_c(rules->session->arena, purchase->word));
    rule_label_use(rules, diag, field);
    const Str ways = ways_of(rules, group, type->row);
    if (is_null) {
        diag_primary_label(rules->session, diag, "null, and so `on_demand`");
    } else if (!is_written) {
        diag_primary_label(rules->session, diag, "without `%s`", attribute);
    } else if (ways.len > 0) {
        diag_label(rules->session, diag, rule_span(&type->field), "is sold as %.*s", STR_ARG(ways));
    }
    const bool is_block_alone = offers(type->row, CAPACITY_ON_DEMAND) != 1 && offers(type->row, CAPACITY_SPOT) != 1;
    if (!is_written && ways.len > 0 && is_block_alone && group->form == GROUP_DECLARED) {
        diag_help(rules->session, diag, "write `capacity = capacity_block(\"cr-…\")`: it is sold in no other way");
    } else if (!is_written && ways.len > 0) {
        diag_help(rules->session, diag, "write `%s`: it is sold as %.*s", attribute, STR_ARG(ways));
    }
    diag_note(rules->session, diag, "`dtc explain %s` shows what is known of it", type->row->name);
}

// Of several types, those that are sold so are taken.
void rule_group_offered(const Rules *rules, const PlanGroup *group) {
    for (uint32_t i = 0; i < group->purchases.count && !group->has_other_types; i++) {
        bool is_offered = group->types.count == 0;
        for (uint32_t k = 0; k < group->types.count; k++) {
            is_offered = is_offered || offers(group->types.items[k].row, group->purchases.items[i].kind) != 0;
        }
        if (!is_offered) {
            report_not_offered(rules, group, &group->purchases.items[i]);
        }
    }
}

// ---- where they can stand --------------------------------------------------------------------------------------------

// A reservation brings the place of its instances with it: a new group beside it finds less capacity, or none
// (eksctl-io/eksctl#7949). EC2 takes the two together, and dtc writes no such thing. A Capacity Block goes with no group
// at all.
static void check_stands(const Rules *rules, const PlanGroup *group, const PlanPlacementGroup *placement) {
    const PlanReservation *source = &group->launch->reservation;
    const PlanField *field = &placement->field;
    const Span span = rule_span(field);
    if (!source->is_block && !(placement->is_new && source->is_reserved)) {
        return;
    }
    const char *reservation = str_c(rules->session->arena, source->field.text);
    Diag *diag = !source->is_block && group->launch->maker != NULL
                     ? group_report(rules, group, span, DIAG(placement_elsewhere), reservation)
                     : group_refuse(rules, group, span, DIAG(placement_beside_reservation),
                                    placement->is_new ? "a new" : "a", reservation);
    rule_label_use(rules, diag, field);
    diag_label(rules->session, diag, rule_span(&source->field), "brings the place of its instances");
    rule_write(rules, diag, group, SPELL_PLACEMENT_LEFT, field,
               source->takes_named ? ", or name the group that the reservation was made in" : "");
    if (source->is_block && group->form == GROUP_TEMPLATE && group_owns(group, field->key)) {
        rule_remove(rules, diag, field->key, true);
    }
}

void rule_group_stands(const Rules *rules, const PlanGroup *group) {
    for (uint32_t i = 0; group_placement(group, i) != NULL; i++) {
        check_stands(rules, group, group_placement(group, i));
    }
}

// A reservation is of On-Demand Instances, so that EC2 refuses the launch.
// source: EC2 API Reference, CapacityReservationSpecification; EC2 User Guide, Capacity Reservations, limitations, 2026-11, read 2026-11
void rule_group_spot_reserved(const Rules *rules, const PlanGroup *group) {
    const PlanReservation *source = &group->launch->reservation;
    const PlanPurchase *spot = group_spot(group);
    if (spot == NULL || !source->has_target) {
        return;
    }
    Diag *diag = plan_report(rules->session, group->subject, rule_span(&spot->field), DIAG(spot_of_reservation));
    rule_label_use(rules, diag, &spot->field);
    if (source->is_reserved) {
        diag_label(rules->session, diag, rule_span(&source->field), "the reservation");
    }
    diag_help(rules->session, diag,
              "buy the nodes On-Demand, as the reservation is paid for, or leave the reservation out");
}

// Some types, burstable ones above all, are in no cluster placement group. The next type has the same fault.
static void check_placement(const Rules *rules, const PlanGroup *group, const PlanPlacementGroup *placement) {
    const PlanType *type = NULL;
    for (uint32_t i = 0; placement->is_cluster && type == NULL && i < group->types.count; i++) {
        type = group->types.items[i].row->placement_cluster == 0 ? &group->types.items[i] : NULL;
    }
    if (type == NULL) {
        return;
    }
    const PlanField *field = &placement->field;
    Diag *diag = group_refuse(rules, group, rule_span(field), DIAG(no_cluster_placement), type->row->name);
    rule_label_use(rules, diag, field);
    diag_label(rules->session, diag, rule_span(&type->field), "launched as this");
    rule_write(rules, diag, group, SPELL_PLACEMENT_NONE, field, "");
}

void rule_group_placeable(const Rules *rules, const PlanGroup *group) {
    for (uint32_t i = 0; group_placement(group, i) != NULL; i++) {
        check_placement(rules, group, group_placement(group, i));
    }
}
