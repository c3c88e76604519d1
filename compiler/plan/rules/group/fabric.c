// Rules about nodes that should use EFA with each other and cannot: by `efa = none`, or because they stand wherever EC2
// has room.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/capacity.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/maker.h"

static bool may_be_reserved(const PlanCapacity *capacity) {
    while (capacity != NULL && !capacity_is_reserved(capacity->kind)) {
        capacity = capacity->otherwise;
    }
    return capacity != NULL;
}

// Of nodes without EFA, rule group_efa speaks; of eksctl, which makes a group all the same, rule
// placement_of_eksctl.
void rule_placement_is_wanted(const Rules *rules, const PlanNodes *nodes) {
    const Subject *subject = nodes->head.subject;
    const Value *placement = subject_value(subject, NODES_PLACEMENT);
    const bool is_none = placement != NULL && placement->kind == VALUE_WORD && str_is(placement->string, "none");
    if (!is_none || !plan_is_whole_group(nodes) || nodes->fabric.efa_count == 0 || plan_is_of_eksctl(nodes) ||
        may_be_reserved(nodes->capacity) || nodes->instance->placement_cluster != 1 ||
        !nics_efa_is_the_point(nodes->instance) || group_most(nodes->group) < 2 ||
        nodes->group->works_together == ANSWER_NO) {
        return;
    }
    Diag *diag = rule_placed_freely(rules, subject, placement->span, nodes->count.high->integer, nodes->instance,
                                    nodes->instance_value->span, nodes->fabric.efa_count);
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
