// Questions about a group of nodes: each has its one answer here.
#include "compiler/plan/model/node_group.h"

#include "schema/names.h"

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
