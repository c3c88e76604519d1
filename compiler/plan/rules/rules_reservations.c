// Rules about reservations that several node groups use, and about one that its own stack makes. A reservation has one
// instance type and one zone, and it either is a Capacity Block or is not.
#include "compiler/plan/rules/rules_field.h"

#include "compiler/plan/model/allow.h"

static bool is_by_id(const PlanCapacity *capacity) {
    return capacity->kind == CAPACITY_RESERVATION || capacity->kind == CAPACITY_BLOCK ||
           capacity->kind == CAPACITY_INTERRUPTIBLE;
}

// The zone that the group's nodes are in, where it is written; NULL where nobody knows.
static const Value *zone_of(const PlanNodes *nodes) {
    const PlanNetwork *network = nodes->cluster->network;
    if (nodes->subnets.zone != NULL || subject_value(nodes->head.subject, NODES_SUBNET) != NULL) {
        return nodes->subnets.zone;
    }
    const bool is_one = network != NULL && network->zones != NULL && network->zones->kind == VALUE_LIST &&
                        network->zones->list.count == 1;
    return is_one ? network->zones->list.items[0] : NULL;
}

// Nobody can say whether a zone's name and a zone's id mean the same zone.
static bool are_apart(const Value *a, const Value *b) {
    const bool are_known = a != NULL && b != NULL && a->kind == VALUE_STRING && b->kind == VALUE_STRING;
    const Str id = STR("-az");
    return are_known && !str_equal(a->string, b->string) &&
           (str_find(a->string, id, 0) < a->string.len) == (str_find(b->string, id, 0) < b->string.len);
}

typedef struct {
    const PlanNodes *nodes;
    const PlanCapacity *capacity;
} Taker;

// As the file calls it, with its cluster where the other group has the same name.
static Str name_of(const Rules *rules, const PlanNodes *nodes, const PlanNodes *beside) {
    const bool is_same = str_equal(nodes->head.id, beside->head.id);
    return is_same ? str_format(rules->session->arena, "%.*s.%.*s", STR_ARG(nodes->cluster->head.id),
                                STR_ARG(nodes->head.id))
                   : nodes->head.id;
}

static void check_pair(const Rules *rules, const Taker *first, const Taker *other) {
    const Value *zone = zone_of(other->nodes);
    const Value *first_zone = zone_of(first->nodes);
    const Value *at = NULL;
    const Value *reason = NULL;
    const char *what = NULL;
    if (first->nodes->instance != other->nodes->instance) {
        what = "one instance type";
        at = other->nodes->instance_value;
        reason = first->nodes->instance_value;
    } else if (first->capacity->kind != other->capacity->kind) {
        what = "one kind";
        at = other->capacity->id;
        reason = first->capacity->id;
    } else if (are_apart(zone, first_zone)) {
        what = "one zone";
        at = zone;
        reason = first_zone;
    } else {
        return;
    }
    const Str first_name = name_of(rules, first->nodes, other->nodes);
    const Str other_name = name_of(rules, other->nodes, first->nodes);
    Diag *diag = plan_report(rules->session, other->nodes->head.subject, at->span, DIAG(reservation_of_two), what,
                             STR_ARG(first_name), STR_ARG(other_name), STR_ARG(other->capacity->id->string));
    if (!span_equal(reason->span, at->span)) {
        diag_label(rules->session, diag, reason->span, "that of `%.*s`", STR_ARG(first_name));
    }
    diag_help(rules->session, diag, "name the reservation in one of the groups, or make these the same");
}

static void check_group(const Rules *rules, const PlanNodes *nodes, StrMap *takers) {
    for (const PlanCapacity *capacity = nodes->capacity; capacity != NULL; capacity = capacity->otherwise) {
        if (!is_by_id(capacity) || capacity->id == NULL || capacity->id->kind != VALUE_STRING) {
            continue;
        }
        Taker *taker = arena_new(rules->session->arena, Taker);
        *taker = (Taker){ .nodes = nodes, .capacity = capacity };
        const Taker *first = str_map_add(takers, capacity->id->string, taker);
        if (first != NULL && first != taker) {
            check_pair(rules, first, taker);
        }
    }
}

void rule_reservations(const Rules *rules) {
    StrMap takers = { .arena = rules->session->arena };
    for (uint32_t i = 0; i < rules->plan->clusters.count; i++) {
        const PlanCluster *cluster = rules->plan->clusters.items[i];
        for (uint32_t k = 0; k < cluster->nodes.count; k++) {
            check_group(rules, cluster->nodes.items[k], &takers);
        }
    }
}

// ---- of the same stack ---------------------------------------------------------------------------------------------

static Diag *report_apart(const Rules *rules, const PlanLaunch *launch, Span span, Str fault,
                          const PlanField *reserved) {
    Diag *diag = plan_report(rules->session, launch->subject, span, DIAG(reservation_apart),
                             STR_ARG(launch->reserved->name), STR_ARG(fault));
    diag_label(rules->session, diag, rule_span(reserved), "the reservation");
    return diag;
}

static void check_type(const Rules *rules, const PlanLaunch *launch) {
    const PlanField *type = &launch->reserved->type;
    bool has_it = launch->has_other_types || launch->types.count == 0 || type->state != FIELD_KNOWN;
    for (uint32_t i = 0; i < launch->types.count; i++) {
        has_it = has_it || str_equal(str_of(launch->types.items[i].row->name), type->text);
    }
    if (!has_it) {
        const PlanType *other = &launch->types.items[0];
        const Str fault = str_format(rules->session->arena, "has %.*s, and the instances are %s", STR_ARG(type->text),
                                     other->row->name);
        diag_help(rules->session, report_apart(rules, launch, rule_span(&other->field), fault, type),
                  "make the two types the same");
    }
}

// A name of a zone and an id of one cannot be compared.
static void check_zone(const Rules *rules, const PlanLaunch *launch, const PlanTaker *taker) {
    const PlanField *zone = &launch->reserved->zone;
    bool may_be_there = zone->state != FIELD_KNOWN || taker->zones.count == 0;
    for (uint32_t i = 0; i < taker->zones.count; i++) {
        may_be_there = may_be_there || str_equal(taker->zones.items[i].text, zone->text);
    }
    if (!may_be_there) {
        const Str fault = str_format(rules->session->arena, "is in %.*s, and the subnets of `%.*s` are in %.*s",
                                     STR_ARG(zone->text), STR_ARG(taker->name), STR_ARG(taker->zones.items[0].text));
        diag_help(rules->session, report_apart(rules, launch, taker->zones_key, fault, zone),
                  "name a subnet in %.*s, or reserve in the zone of the subnets", STR_ARG(zone->text));
    }
}

static void check_count(const Rules *rules, const PlanLaunch *launch, const PlanTaker *taker) {
    const PlanField *count = &launch->reserved->count;
    const int64_t reserved = field_number(count, -1);
    const int64_t least = field_number(&taker->least, -1);
    if (reserved >= 0 && least > reserved) {
        const Str fault =
            str_format(rules->session->arena, "has %" PRId64 " instance%s, and `%.*s` needs %" PRId64 " at least",
                       reserved, reserved == 1 ? "" : "s", STR_ARG(taker->name), least);
        diag_help(rules->session, report_apart(rules, launch, rule_span(&taker->least), fault, count),
                  "reserve %" PRId64 ", or make the group smaller", least);
    }
}

void rule_launch_reserved(const Rules *rules, const PlanLaunch *launch) {
    if (launch->reserved == NULL) {
        return;
    }
    check_type(rules, launch);
    for (uint32_t i = 0; i < launch->takers.count; i++) {
        check_zone(rules, launch, &launch->takers.items[i]);
        check_count(rules, launch, &launch->takers.items[i]);
    }
}
