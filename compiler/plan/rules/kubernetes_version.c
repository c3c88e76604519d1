// Holds a version against the rows of schema/kubernetes.yaml.
#include "compiler/plan/rules/kubernetes_version.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/names.h"

void kubernetes_check_version(const Rules *rules, const Subject *subject, Span span, Str version) {
    const KubernetesRow *row = NULL;
    for (int i = 0; i < KUBERNETES_ROW_COUNT && row == NULL; i++) {
        row = str_is(version, KUBERNETES_ROWS[i].version) ? &KUBERNETES_ROWS[i] : NULL;
    }
    const int minor = plan_kubernetes_minor(version);
    const bool is_newer = minor > plan_kubernetes_minor(str_of(KUBERNETES_ROWS[0].version));
    Diag *diag = NULL;
    if (row == NULL && (minor == 0 || is_newer)) {
        return;
    }
    if (row == NULL || row->support == SUPPORT_ENDED) {
        diag = plan_report(rules->session, subject, span, DIAG(version_ended), STR_ARG(version));
    } else if (row->support == SUPPORT_EXTENDED) {
        diag = plan_report(rules->session, subject, span, DIAG(version_extended), STR_ARG(version), row->standard_end,
                           row->extended_end);
    }
    if (diag != NULL) {
        diag_help(rules->session, diag, "take one in standard support: %.*s",
                  STR_ARG(plan_kubernetes_ways_out(rules->session->arena)));
    }
}
