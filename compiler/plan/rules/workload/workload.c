// Rules about a container, whoever wrote it: what its image is made for, who runs it, and devices that come whole.
#include "compiler/plan/rules/workload/workload_group.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/image_fit.h"
#include "compiler/plan/rules/rule_field.h"

// ---- the image ---------------------------------------------------------------------------------------------------

static void check_image(Session *session, const PlanWorkload *workload, const InstanceRow *row, Span row_span) {
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

void rule_workload_image(const Rules *rules, const PlanWorkload *workload) {
    check_image(rules->session, workload, workload->row, workload->row_span);
}

// A name with parts that somebody fills in is none yet.
void rule_workload_tag(const Rules *rules, const PlanWorkload *workload) {
    const PlanField *image = &workload->image;
    if (image->state == FIELD_KNOWN && !str_has(image->text, "$") && !str_has(image->text, "{") &&
        !str_has(image->text, "<")) {
        image_check_tag(rules, workload->subject, rule_span(image), image->text);
    }
}

// ---- the user ----------------------------------------------------------------------------------------------------

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
        check_image(session, workload, group->types.items[0].row, group->types.items[0].field.span);
    }
}

// ---- devices -----------------------------------------------------------------------------------------------------

void rule_whole_devices(const Rules *rules, const PlanWorkload *workload) {
    for (uint32_t i = 0; i < workload->devices.count; i++) {
        const PlanDevices *devices = &workload->devices.items[i];
        if (devices->count >= 0 && devices->count <= 1e9 && (double)(int64_t)devices->count < devices->count) {
            plan_report(rules->session, workload->subject, devices->span, DIAG(pod_fraction), STR_ARG(devices->written),
                        STR_ARG(devices->name));
        }
    }
}
