// Holds a version against the rows of schema/kubernetes.yaml.
#include "compiler/plan/rules/kubernetes_version.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/rules/template_use.h"

static const KubernetesRow *row_of(Str version) {
    for (int i = 0; i < KUBERNETES_ROW_COUNT; i++) {
        if (str_is(version, KUBERNETES_ROWS[i].version)) {
            return &KUBERNETES_ROWS[i];
        }
    }
    return NULL;
}

bool kubernetes_has_ended(Str version) {
    const KubernetesRow *row = row_of(version);
    const int minor = plan_kubernetes_minor(version);
    const bool is_older = minor > 0 && minor < plan_kubernetes_minor(str_of(KUBERNETES_ROWS[0].version));
    return row == NULL ? is_older : row->support == SUPPORT_ENDED;
}

void kubernetes_check_version(const Rules *rules, const Subject *subject, Span span, Str version) {
    const KubernetesRow *row = row_of(version);
    const Data *initial = use_default_at(rules->plan->names, span);
    const Span use = span;
    span = initial == NULL ? span : initial->span;
    Diag *diag = NULL;
    if (kubernetes_has_ended(version)) {
        diag = plan_report(rules->session, subject, span, DIAG(version_ended), STR_ARG(version));
    } else if (row != NULL && row->support == SUPPORT_EXTENDED) {
        diag = plan_report(rules->session, subject, span, DIAG(version_extended), STR_ARG(version), row->standard_end,
                           row->extended_end);
    }
    if (diag != NULL && initial != NULL) {
        diag_label(rules->session, diag, use, "EKS takes it here");
    }
    if (diag != NULL) {
        diag_help(rules->session, diag, "take one in standard support: %.*s",
                  STR_ARG(plan_kubernetes_ways_out(rules->session->arena)));
    }
}
