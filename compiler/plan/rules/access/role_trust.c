// Says of a role that its user cannot take it: the same words for a job of infra.dt and for a resource of a template.
#include "compiler/plan/rules/access/role_trust.h"

#include "compiler/plan/model/allow.h"

Diag *role_report_untrusting(const Rules *rules, const RoleTaker *taker, const char *service, RoleSyntax syntax) {
    const char *domain = str_c(rules->session->arena, str_format(rules->session->arena, "%s.amazonaws.com", service));
    Diag *diag =
        plan_report(rules->session, taker->subject, taker->span, DIAG(role_untrusting), STR_ARG(taker->role), domain);
    diag_label(rules->session, diag, taker->at, taker->is_named ? "for other actions alone" : "trusts others");
    if (taker->is_named) {
        diag_help(rules->session, diag, "write `sts:AssumeRole` into the `Action` of the role's statement");
        return diag;
    }
    diag_help(rules->session, diag,
              syntax == ROLE_IN_DT ? "write `Principal = { Service = \"%s\" }` into the role's statement"
                                   : "write `Principal: {Service: %s}` into the role's statement",
              domain);
    return diag;
}

Diag *role_report_untagged(const Rules *rules, const RoleTaker *taker, RoleSyntax syntax) {
    Diag *diag = plan_report(rules->session, taker->subject, taker->span, DIAG(role_untagged), STR_ARG(taker->role));
    diag_label(rules->session, diag, taker->at, "without sts:TagSession");
    diag_help(rules->session, diag, "write `%s` into the role's statement",
              syntax == ROLE_IN_DT ? "Action = [\"sts:AssumeRole\", \"sts:TagSession\"]"
                                   : "Action: ['sts:AssumeRole', 'sts:TagSession']");
    return diag;
}
