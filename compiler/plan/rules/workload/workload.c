// Rules about a container, whoever wrote it: its image, and devices that come whole.
#include "compiler/plan/rules/workload_group.h"

#include "compiler/base/str_map.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/rules/image_fit.h"
#include "compiler/plan/rules/rule_field.h"

void rule_workload_image(const Rules *rules, const PlanWorkload *workload) {
    workload_check_image(rules->session, workload, workload->row, workload->row_span);
}

// A name with parts that somebody fills in is none yet.
void rule_workload_tag(const Rules *rules, const PlanWorkload *workload) {
    const PlanField *image = &workload->image;
    if (image->state == FIELD_KNOWN && !str_has(image->text, "$") && !str_has(image->text, "{") &&
        !str_has(image->text, "<")) {
        image_check_tag(rules, workload->subject, rule_span(image), image->text);
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

// ---- variables -----------------------------------------------------------------------------------------------------

// A second one with the same value changes nothing.
void rule_variables_once(const Rules *rules, const PlanWorkload *workload) {
    const PlanLauncher *launcher = workload->launcher;
    StrMap seen = { .arena = rules->session->arena };
    for (uint32_t i = 0; launcher != NULL && i < launcher->variables.count; i++) {
        const PlanVariable *variable = &launcher->variables.items[i];
        const PlanVariable *first = variable->name.state == FIELD_KNOWN && variable->name.text.len > 0
                                        ? str_map_add(&seen, variable->name.text, variable)
                                        : NULL;
        const bool is_same = first != NULL && first->value.state == FIELD_KNOWN &&
                             variable->value.state == FIELD_KNOWN && str_equal(first->value.text, variable->value.text);
        if (first == NULL || is_same || span_is_none(first->name.span)) {
            continue;
        }
        Diag *diag = plan_report(rules->session, workload->subject, variable->name.span, DIAG(variable_twice),
                                 STR_ARG(variable->name.text));
        diag_label(rules->session, diag, first->name.span, "the first one");
        diag_help(rules->session, diag, "leave one of the two out");
    }
}
