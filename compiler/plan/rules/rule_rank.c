#include "compiler/plan/rules/rule_rank.h"

#include "compiler/plan/model/allow.h"

Diag *rule_one_rank(const Rules *rules, const Subject *subject, Span span, int64_t count, const char *what,
                    int64_t rank) {
    return plan_report(rules->session, subject, span, DIAG(node_rank), count, what, rank);
}
