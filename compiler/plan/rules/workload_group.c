// What is judged of a container on its nodes: what its image is made for, and who runs it.
#include "compiler/plan/rules/workload_group.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_field.h"

void workload_check_image(Session *session, const PlanWorkload *workload, const InstanceRow *row, Span row_span) {
    const char *made_for = workload_image_misfit(workload, row);
    if (made_for == NULL) {
        return;
    }
    const bool is_gpu = row->accelerator == ACCELERATOR_NVIDIA;
    Diag *diag = plan_report(session, workload->subject, rule_span(&workload->image), DIAG(container_of_other_devices),
                             STR_ARG(str_after_last(workload->image.text, '/')), made_for, row->name,
                             is_gpu ? "GPUs" : "Neuron devices");
    diag_label(session, diag, row_span, "%s", row->name);
    diag_help(session, diag, "take %s",
              is_gpu ? "`pytorch-training`, with `-gpu-` in its tag" : "`pytorch-training-neuronx`");
}

static void check_user(Session *session, const PlanWorkload *workload, const PlanGroup *group) {
    if (!group->has_limited_lock || workload->has_efa != ANSWER_YES || !workload_has_plain_user(workload)) {
        return;
    }
    Diag *diag = plan_report(session, workload->subject, rule_span(&workload->user), DIAG(user_locks_no_memory),
                             STR_ARG(workload->user.text), STR_ARG(workload->name));
    diag_label(session, diag, group->span_of_efa, "its nodes have EFA");
    diag_help(session, diag, workload->pod == NULL ? "write `user = \"root\"`" : "write `runAsUser: 0`");
}

void workload_check_on_group(Session *session, const PlanWorkload *workload, const PlanGroup *group) {
    const bool is_one = group->types.count == 1 && !group->has_other_types;
    check_user(session, workload, group);
    if (is_one && workload->row == NULL) {
        workload_check_image(session, workload, group->types.items[0].row, group->types.items[0].field.span);
    }
}
