// Rules about capacity: how the type of a group is sold, and what a reservation or a Capacity Block can give.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/capacity.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/network_ids.h"

// A plan of SageMaker's that the chain of capacities names; NULL without.
static const Value *find_training_plan(const Value *value) {
    if (value != NULL && value->kind == VALUE_TAG) {
        return str_is(value->tag.name, "training_plan") ? value : NULL;
    }
    const Value *found = NULL;
    const bool is_chain = value != NULL && value->kind == VALUE_LATE && value->late->kind == LATE_DEFAULT;
    for (uint32_t i = 0; is_chain && found == NULL && i < value->late->part_count; i++) {
        found = find_training_plan(value->late->parts[i]);
    }
    return found;
}

void rule_training_plan(const Rules *rules, const PlanNodes *nodes) {
    const Value *plan = find_training_plan(subject_value(nodes->head.subject, NODES_CAPACITY));
    if (plan != NULL) {
        Diag *diag = report(rules->session, plan->span, DIAG(training_plan));
        diag_help(rules->session, diag,
                  "buy a Capacity Block for the same time, and write `capacity = capacity_block(id)`");
    }
}

void rule_price(const Rules *rules, const PlanNodes *nodes) {
    const PlanCapacity *capacity = nodes->capacity;
    if (!nodes->instance->is_unpriced || !capacity_has(capacity, CAPACITY_ON_DEMAND)) {
        return;
    }
    const Value *value = subject_value(nodes->head.subject, NODES_CAPACITY);
    Span instance = nodes->instance_value->span;
    Diag *diag = plan_report(rules->session, nodes->head.subject, value != NULL ? value->span : instance,
                             DIAG(unpriced_on_demand), nodes->instance->name);
    if (value != NULL) {
        diag_label(rules->session, diag, instance, "has no such price");
    }
    diag_help(rules->session, diag, "write `capacity = capacity_block(id)`, or say why: `allow DT0363, \"…\"`");
    diag_note(rules->session, diag, "`dtc explain %s` shows what is known of it", nodes->instance->name);
}

// ---- Capacity Blocks -------------------------------------------------------------------------------------------

// Whether there is nothing but one block, whose size is then the most that the group gets.
static bool is_one_block(const PlanNodes *nodes) {
    return capacity_last(nodes->capacity)->kind == CAPACITY_BLOCK ||
           (capacity_has(nodes->capacity, CAPACITY_BLOCK) && nodes->instance->capacity_on_demand == 0);
}

static int64_t ultraserver_most(const InstanceRow *row) {
    int most = 0;
    for (int i = 0; row->ultraserver_sizes[i] > 0; i++) {
        most = row->ultraserver_sizes[i];
    }
    return most;
}

static Str ultraserver_sizes(Arena *arena, const InstanceRow *row) {
    StrBuf text = { .arena = arena };
    for (int i = 0; row->ultraserver_sizes[i] > 0; i++) {
        const char *separator = i == 0 ? "" : row->ultraserver_sizes[i + 1] > 0 ? ", " : " or ";
        strbuf_add_format(&text, "%s%d", separator, row->ultraserver_sizes[i]);
    }
    return strbuf_str(&text);
}

// The sizes of a type's UltraServers are multiples of the first.
static void check_ultraserver(const Rules *rules, const PlanNodes *nodes) {
    const Value *high = nodes->count.high;
    if (high->integer % nodes->instance->ultraserver_sizes[0] == 0) {
        return;
    }
    Str sizes = ultraserver_sizes(rules->session->arena, nodes->instance);
    Diag *diag = plan_report(rules->session, nodes->head.subject, high->span, DIAG(part_of_ultraserver), high->integer,
                             nodes->instance->name);
    diag_label(rules->session, diag, nodes->instance_value->span, "%.*s make an UltraServer", STR_ARG(sizes));
    diag_help(rules->session, diag, "make the high end of `count` %.*s", STR_ARG(sizes));
}

void rule_block_size(const Rules *rules, const PlanNodes *nodes) {
    if (!is_one_block(nodes)) {
        return;
    }
    bool is_ultraserver = nodes->instance->ultraserver_sizes[0] > 0;
    int64_t most =
        is_ultraserver ? ultraserver_most(nodes->instance) : schema_constant(CONSTANT_CAPACITY_BLOCK_INSTANCES_MAX);
    const Value *high = nodes->count.high;
    if (high->integer > most) {
        const char *what = is_ultraserver ? "UltraServer" : "Capacity Block";
        Diag *diag = plan_report(rules->session, nodes->head.subject, high->span, DIAG(more_than_a_block),
                                 high->integer, what, most);
        diag_label(rules->session, diag, subject_value(nodes->head.subject, NODES_CAPACITY)->span, "one block");
        diag_help(rules->session, diag, "make one group for each block, of %" PRId64 " nodes at most", most);
    } else if (is_ultraserver) {
        check_ultraserver(rules, nodes);
    }
}

// ---- zones -----------------------------------------------------------------------------------------------------

static const PlanCapacity *reserved_by_id(const PlanCapacity *capacity) {
    while (capacity != NULL && capacity->kind != CAPACITY_RESERVATION && capacity->kind != CAPACITY_BLOCK &&
           capacity->kind != CAPACITY_INTERRUPTIBLE) {
        capacity = capacity->otherwise;
    }
    return capacity;
}

// Groups that have to be in one zone anyway were looked at when their subnet was chosen.
void rule_zone_of_reservation(const Rules *rules, const PlanNodes *nodes) {
    const PlanCapacity *reserved = reserved_by_id(nodes->capacity);
    const PlanNetwork *network = nodes->cluster->network;
    const Subject *subject = nodes->head.subject;
    bool is_chosen = subject_value(subject, NODES_ZONE) != NULL || subject_value(subject, NODES_SUBNET) != NULL;
    uint32_t count = network == NULL ? 0 : plan_subnet_count(network);
    if (reserved == NULL || is_chosen || count < 2 || plan_wants_one_zone(nodes)) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, subject, subject_value(subject, NODES_CAPACITY)->span,
                    DIAG(reservation_in_one_zone), capacity_name(reserved->kind), STR_ARG(nodes->head.id), count);
    if (network->zones != NULL) {
        diag_label(rules->session, diag, network->zones->span, "any of these");
    }
    diag_help(rules->session, diag, "write `%s`, that of the reservation",
              network->zones != NULL ? "zone = \"…\"" : "subnet = \"…\"");
}
