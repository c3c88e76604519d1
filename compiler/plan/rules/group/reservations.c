// Rules about reservations that several node groups use, and about one that its own stack makes. A reservation has one
// instance type and one zone, and it either is a Capacity Block or is not.
#include "compiler/plan/rules/rule_field.h"

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
