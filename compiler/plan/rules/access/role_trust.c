// Says of a role that its user cannot take it: the same words for a job of infra.dt and for a resource of a template.
#include "compiler/plan/rules/access/role_trust.h"

#include "compiler/plan/model/allow.h"

void role_report_untrusting(const Rules *rules, const RoleTaker *taker, const char *service, Str better) {
    Diag *diag =
        plan_report(rules->session, taker->subject, taker->span, DIAG(role_untrusting), STR_ARG(taker->role), service);
    diag_label(rules->session, diag, taker->at, "trusts others");
    diag_help(rules->session, diag, "write `%.*s` into the role's statement", STR_ARG(better));
}

void role_report_untagged(const Rules *rules, const RoleTaker *taker, const char *better) {
    Diag *diag = plan_report(rules->session, taker->subject, taker->span, DIAG(role_untagged), STR_ARG(taker->role));
    diag_label(rules->session, diag, taker->at, "without sts:TagSession");
    diag_help(rules->session, diag, "write `%s` into the role's statement", better);
}
