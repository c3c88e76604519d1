// Rules about nodes that should use EFA with each other and cannot: by `efa = none`, or because they stand wherever EC2
// has room.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/capacity.h"
#include "compiler/plan/model/group.h"
#include "compiler/plan/model/maker.h"

// Types that are sold for many nodes working as one, with two EFA interfaces or more. One interface is also found on types
// that mostly work alone.
static bool is_made_for_efa(const InstanceRow *row) {
    return nics_is_made_for_efa(row) && row->efa_max >= 2;
}

// On Batch the jobs say how many nodes belong together. A group without jobs waits for some that are written elsewhere.
static bool is_for_several(const PlanNodes *nodes) {
    if (nodes->count.high->kind != VALUE_INT || nodes->count.high->integer < 2) {
        return false;
    }
    bool has_jobs = false;
    for (uint32_t i = 0; i < nodes->cluster->jobs.count; i++) {
        const PlanJob *job = nodes->cluster->jobs.items[i];
        if (job->group->head.subject == nodes->head.subject && plan_job_is_multi_node(job)) {
            return true;
        }
        has_jobs = has_jobs || job->group->head.subject == nodes->head.subject;
    }
    return !has_jobs;
}

static bool is_none(const Value *value) {
    return value != NULL && value->kind == VALUE_WORD && str_is(value->string, "none");
}

void rule_efa_is_wanted(const Rules *rules, const PlanNodes *nodes) {
    const Subject *subject = nodes->head.subject;
    const Value *efa = subject_value(subject, NODES_EFA);
    // Where a target takes a number, that of 0 interfaces has had its warning: `fewer_efa`.
    const bool is_zero = efa != NULL && efa->kind == VALUE_INT && efa->integer == 0;
    const bool is_refused = is_none(efa) || (is_zero && nodes->cluster->target == TARGET_PARALLELCLUSTER);
    if (!is_refused || !plan_is_whole_group(nodes) || !is_made_for_efa(nodes->instance) || !is_for_several(nodes)) {
        return;
    }
    Diag *diag = plan_report(rules->session, subject, efa->span, DIAG(efa_refused), nodes->count.high->integer,
                             nodes->instance->name);
    diag_label(rules->session, diag, nodes->instance_value->span, "has %d EFA interfaces", nodes->instance->efa_max);
    diag_help(rules->session, diag, "%s",
              nodes->cluster->target == TARGET_BATCH
                  ? "write `efa = all`; if jobs written elsewhere have one node each, write `allow DT1324, \"…\"`"
                  : "write `efa = all`, or say why: `allow DT1324, \"…\"`");
}

static bool may_be_reserved(const PlanCapacity *capacity) {
    while (capacity != NULL && !capacity_is_reserved(capacity->kind)) {
        capacity = capacity->otherwise;
    }
    return capacity != NULL;
}

// Of nodes without EFA, rule efa_is_wanted speaks; of eksctl, which makes a group all the same, rule
// placement_of_eksctl.
void rule_placement_is_wanted(const Rules *rules, const PlanNodes *nodes) {
    const Subject *subject = nodes->head.subject;
    const Value *placement = subject_value(subject, NODES_PLACEMENT);
    if (!is_none(placement) || !plan_is_whole_group(nodes) || nodes->fabric.efa_count == 0 ||
        plan_is_of_eksctl(nodes) || may_be_reserved(nodes->capacity) || nodes->instance->placement_cluster != 1 ||
        !is_made_for_efa(nodes->instance) || !is_for_several(nodes)) {
        return;
    }
    Diag *diag = plan_report(rules->session, subject, placement->span, DIAG(placement_refused),
                             nodes->count.high->integer, nodes->instance->name);
    diag_label(rules->session, diag, nodes->instance_value->span, "EFA on %d interface%s", nodes->fabric.efa_count,
               nodes->fabric.efa_count == 1 ? "" : "s");
    diag_help(rules->session, diag, "leave `placement` out, or say why: `allow DT1325, \"…\"`");
}

// ---- words for interfaces that only a group has ------------------------------------------------------------------

void rule_efa_number(const Rules *rules, const PlanNodes *nodes) {
    const Value *efa = subject_value(nodes->head.subject, NODES_EFA);
    if (efa != NULL && efa->kind == VALUE_INT && efa->integer < 0) {
        Diag *diag = report(rules->session, efa->span, DIAG(negative), "efa", efa->integer);
        diag_help(rules->session, diag, "write `efa = none`, or leave it out");
    }
}

static Str layouts_of(const Rules *rules, const InstanceRow *row) {
    static const NicLayout ALL[] = { LAYOUT_MIN_IP, LAYOUT_ALL_IP, LAYOUT_MAX_BANDWIDTH };
    StrBuf text = { .arena = rules->session->arena };
    for (size_t i = 0; i < COUNT_OF(ALL); i++) {
        if (nics_efa_all(row, ALL[i]) != UNKNOWN) {
            strbuf_add_format(&text, "%s`%s`", text.len == 0 ? "" : ", ", nics_layout_name(ALL[i]));
        }
    }
    return strbuf_str(&text);
}

// The type has no such layout at all, or none with so many EFA interfaces.
void rule_layout_of_type(const Rules *rules, const PlanNodes *nodes) {
    const InstanceRow *row = nodes->instance;
    const Value *written = subject_value(nodes->head.subject, NODES_EFA_LAYOUT);
    if (written == NULL || str_is(written->string, "auto") || nics_layout(written->string) == nodes->fabric.layout ||
        !nics_has_cards(row)) {
        return; // it is the one that the group has
    }
    const NicLayout layout = nics_layout(written->string);
    const int count = nodes->fabric.efa_count;
    const bool has_it = nics_efa_all(row, layout) != UNKNOWN;
    const Str with =
        has_it ? str_format(rules->session->arena, " with %d EFA interface%s", count, count == 1 ? "" : "s") : STR_NONE;
    Diag *diag = report(rules->session, written->span, DIAG(no_layout), row->name, nics_layout_name(layout),
                        str_c(rules->session->arena, with));
    diag_label(rules->session, diag, nodes->instance_value->span, "has %.*s", STR_ARG(layouts_of(rules, row)));
    diag_help(rules->session, diag, "%sleave `efa_layout` out: the schema knows the one to take",
              has_it ? "write `efa = all`, or " : "");
}
