// Questions about a group of nodes: each has its one answer here.
#include "compiler/plan/model/node_group.h"

#include "schema/names.h"

int group_efa_most(const PlanGroup *group, const InstanceRow *row) {
    return group->form == GROUP_DECLARED ? nics_efa_all(row, group->launch->layout) : row->efa_max;
}

const Subject *group_subject_at(const PlanGroup *group, Span span) {
    const bool is_in_launch = !span_is_none(group->launch_whole) && span_holds(group->launch_whole, span);
    return is_in_launch ? group->launch->subject : group->subject;
}

bool group_takes_pods(const PlanGroup *group) {
    return group->form == GROUP_EKS || group->form == GROUP_EKSCTL;
}

static PlanAnswer efa_of(const PlanLaunch *launch) {
    return launch->efa.is_wanted                    ? ANSWER_YES
           : launch->interfaces_state == FIELD_LATE ? ANSWER_MAYBE
           : launch_efa_count(launch) == 0          ? ANSWER_NO
                                                    : ANSWER_MAYBE;
}

PlanGroup group_of_launch(PlanGroupForm form, const PlanLaunch *launch) {
    PlanGroup group = { .form = form,
                        .whole = SPAN_NONE,
                        .subject = launch->subject,
                        .launch = launch,
                        .launch_whole = SPAN_NONE,
                        .types = launch->types,
                        .has_other_types = launch->has_other_types,
                        .purchases = launch->purchases,
                        .region = launch->region,
                        .region_span = launch->region_span,
                        .efa = launch->efa.field,
                        .has_efa = efa_of(launch),
                        .works_together = ANSWER_MAYBE };
    return group;
}
