// Answers about a group, from its row, its interfaces and its cluster.
#include "compiler/plan/model/declared_group.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/capacity.h"

bool plan_begins_empty(const PlanNodes *nodes) {
    const Value *first = nodes->eks->desired != NULL ? nodes->eks->desired : nodes->count.low;
    return first != NULL && first->kind == VALUE_INT && first->integer == 0;
}

bool plan_efa_is_unknown(const PlanNodes *nodes) {
    return nodes->cluster->target == TARGET_PARALLELCLUSTER && nodes->fabric.efa_count > 0 &&
           nodes->instance->efa_max == UNKNOWN;
}

const char *plan_nothing_to_measure(const PlanNodes *nodes) {
    if (nodes->count.high->integer < 2) {
        return "has one node at most";
    }
    return nodes->fabric.efa_count == 0 ? "has no EFA" : NULL;
}

const char *plan_no_accelerators_measured(const PlanNodes *nodes, const PlanValidate *validate) {
    const InstanceRow *row = nodes->instance;
    const bool has_some = row->accelerator == ACCELERATOR_NVIDIA || row->accelerator == ACCELERATOR_NEURON;
    if (!has_some || row->accelerators == 0) {
        return "the type has no NVIDIA GPUs or Neuron devices";
    }
    return validate->job_gap.why;
}

bool plan_measures_accelerators(const PlanNodes *nodes) {
    const PlanValidate *validate = nodes->validate;
    return validate != NULL && validate->first_job > 0 && str_is(validate->collective->string, "nccl") &&
           plan_no_accelerators_measured(nodes, validate) == NULL;
}

static const PlanStorage *new_lustre(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        if (storage->kind == STORAGE_LUSTRE && storage->existing == NULL) {
            return storage;
        }
    }
    return NULL;
}

static bool has_reservation(const PlanCapacity *capacity) {
    while (capacity->otherwise != NULL && value_may_be_null(capacity->id)) {
        capacity = capacity->otherwise;
    }
    return capacity->kind == CAPACITY_RESERVATION || capacity->kind == CAPACITY_BLOCK ||
           capacity->kind == CAPACITY_INTERRUPTIBLE;
}

PlanOneSubnet plan_one_subnet(const PlanNodes *nodes) {
    const PlanStorage *lustre = new_lustre(nodes->cluster);
    const Subject *subject = nodes->head.subject;
    if (nodes->fabric.efa_count > 0) {
        return (PlanOneSubnet){ .reason = "EFA", .span = subject_key(subject, NODES_EFA) };
    }
    if (nodes->placement.is_new || !value_may_be_null(nodes->placement.name)) {
        return (PlanOneSubnet){ .reason = "a placement group", .span = subject_key(subject, NODES_PLACEMENT) };
    }
    if (has_reservation(nodes->capacity)) {
        return (PlanOneSubnet){ .reason = "a reservation", .span = subject_key(subject, NODES_CAPACITY) };
    }
    if (lustre != NULL) {
        return (PlanOneSubnet){ .reason = "a new file system for Lustre", .span = lustre->head.subject->name_span };
    }
    return (PlanOneSubnet){ .reason = NULL };
}

bool plan_leaves_efa(const PlanNodes *nodes) {
    return subject_value(nodes->head.subject, NODES_EFA) == NULL && nodes->count.high->integer > 1 &&
           nodes->instance->efa_max > 0 && !nics_efa_is_default(nodes->instance);
}

const char *plan_way_without_zone(const PlanNodes *nodes) {
    return nodes->fabric.efa_count > 0 ? ", or `efa = none` for nodes that work alone"
           : nodes->placement.is_new   ? ", or leave `placement` out"
                                       : "";
}

void plan_report_queue_in_subnets(Session *session, const PlanNodes *nodes, uint32_t count) {
    const PlanOneSubnet one = plan_one_subnet(nodes);
    Diag *diag = plan_report(session, nodes->head.subject, nodes->head.subject->name_span, DIAG(queue_in_subnets),
                             STR_ARG(nodes->head.id), count, one.reason);
    if (!span_is_none(one.span)) {
        diag_label(session, diag, one.span, "is in one of them");
    }
    diag_help(session, diag, "write `zone = \"…\"` or `subnet = \"…\"` in the group%s", plan_way_without_zone(nodes));
}

// One node in ten, and one at least of the fewest that there may be: one that is broken never fails the stack.
int64_t plan_tolerance(const PlanNodes *nodes, const Value *least) {
    enum { ALL = 100, TENTH = 10 };
    if (nodes->eks->tolerance != NULL) {
        return nodes->eks->tolerance->integer;
    }
    const int64_t fewest = least->kind == VALUE_INT && least->integer > 0 ? least->integer : 1;
    const int64_t away = (fewest + TENTH - 1) / TENTH;
    return (away * ALL + fewest - 1) / fewest;
}

// eksctl@99984adb, pkg/cfn/builder/network_interfaces.go, 2026-08: EFA on every card, device 0 on the first and 1 on
// all others.
bool plan_is_placed_by_eksctl(const InstanceRow *row) {
    for (int i = 0; i < row->card_run_count; i++) {
        const CardRun *run = &row->cards[i];
        const bool has_second = run->interfaces_max == UNKNOWN || run->interfaces_max > 1;
        if (run->first + run->count > 1 && !has_second) {
            return false;
        }
    }
    return row->efa_max == row->network_cards;
}

// Nodes that talk over EFA, or stand in one placement group, must be in one zone.
bool plan_wants_one_zone(const PlanNodes *nodes) {
    return (nodes->fabric.efa_count > 0 && nodes->count.high->integer > 1) || nodes->placement.is_new;
}

int64_t plan_neuron_cores(const InstanceRow *row) {
    enum { CORES_OF_LOGICAL = 2, CORES_OF_TRAINIUM2 = 8 };
    const int cores =
        row->neuron_cores >= CORES_OF_TRAINIUM2 ? row->neuron_cores / CORES_OF_LOGICAL : row->neuron_cores;
    return (int64_t)row->accelerators * cores;
}

PlanEfaNodes plan_efa_nodes(const PlanNodes *nodes) {
    return (PlanEfaNodes){ .row = nodes->instance,
                           .efa_count = nodes->fabric.efa_count,
                           .is_al2023 = nodes->ami.given == NULL && str_is(nodes->cluster->os->string, "al2023"),
                           .span = nodes->instance_value->span };
}

Str plan_type_names(Arena *arena, const PlanNodes *nodes) {
    StrBuf text = { .arena = arena };
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        strbuf_add_format(&text, "%s%s", i == 0 ? "" : ", ", nodes->types.items[i].row->name);
    }
    return strbuf_str(&text);
}

bool plan_has_type(const PlanNodes *nodes, Str name) {
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        if (str_is(name, nodes->types.items[i].row->name)) {
            return true;
        }
    }
    return false;
}

const PlanGroupType *plan_largest_type(const PlanNodes *nodes) {
    const PlanGroupType *largest = &nodes->types.items[0];
    for (uint32_t i = 1; i < nodes->types.count && largest->row->memory_mib > 0; i++) {
        const PlanGroupType *type = &nodes->types.items[i];
        const bool is_larger = type->row->memory_mib < 1 || type->row->memory_mib > largest->row->memory_mib;
        largest = is_larger ? type : largest;
    }
    return largest;
}

bool plan_is_whole_group(const PlanNodes *nodes) {
    return nodes->types.count == 1 || nodes->with_other_types.count > 0;
}

Str plan_verdict_objects(Arena *arena, const PlanNodes *nodes) {
    if (nodes->validate == NULL || nodes->validate->verdicts == NULL) {
        return STR_NONE;
    }
    const Str place = nodes->validate->verdicts->string;
    const size_t end = str_ends_with(place, STR("/")) ? place.len - 1 : place.len;
    return str_format(arena, "%.*s/*", STR_ARG(str_slice(place, sizeof("s3://") - 1, end)));
}

Str plan_failures(Arena *arena, const PlanNodes *nodes) {
    const bool is_counted = nodes->validate != NULL && nodes->validate->on_fail != ON_FAIL_WARN &&
                            nodes->cluster->target != TARGET_PARALLELCLUSTER;
    return is_counted
               ? str_format(arena, "/dtc/%.*s/%.*s/failed", STR_ARG(nodes->cluster->head.id), STR_ARG(nodes->head.id))
               : STR_NONE;
}

const Value *plan_verdict_key(const PlanNodes *nodes) {
    const PlanValidate *validate = nodes->validate;
    return validate != NULL && validate->verdicts != NULL ? validate->verdicts_key : NULL;
}
