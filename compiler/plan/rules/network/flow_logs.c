// A rule about logs: how long CloudWatch keeps them.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"

static const int RETENTION_DAYS[] = {
#define DAYS(number) number,
#include "schema/retention_days.def"
#undef DAYS
};

enum { MILLISECONDS_OF_DAY = 24 * 60 * 60 * 1000 };

static int nearest_retention(int64_t days) {
    int best = RETENTION_DAYS[0];
    for (size_t i = 1; i < COUNT_OF(RETENTION_DAYS); i++) {
        if (llabs(RETENTION_DAYS[i] - days) < llabs(best - days)) {
            best = RETENTION_DAYS[i];
        }
    }
    return best;
}

// `said` is the time as its author wrote it; `unit` is what stands behind the days in that form.
static void say_retention(const Rules *rules, const Subject *subject, Span span, Str said, int nearest,
                          const char *unit) {
    Diag *diag = plan_report(rules->session, subject, span, DIAG(log_retention), STR_ARG(said), nearest);
    diag_help(rules->session, diag, "write `%d%s`", nearest, unit);
}

void rule_log_retention(const Rules *rules, const PlanNetwork *network) {
    const Value *retention = network->made.flow_logs;
    if (network->mode != NETWORK_MADE || retention == NULL || retention->kind == VALUE_NULL) {
        return;
    }
    const int64_t days = (retention->integer + MILLISECONDS_OF_DAY / 2) / MILLISECONDS_OF_DAY;
    const int nearest = nearest_retention(days);
    if (retention->integer != (int64_t)nearest * MILLISECONDS_OF_DAY) {
        say_retention(rules, network->head.subject, retention->span, value_print(rules->session->arena, retention),
                      nearest, "d");
    }
}

void rule_retention_of_resource(const Rules *rules, const PlanResource *resource) {
    const bool is_group = str_is(resource->resource->type, "AWS::Logs::LogGroup");
    const Value *retention = is_group ? resource_property(resource->resource, "RetentionInDays") : NULL;
    int64_t days = 0;
    if (rule_number(retention, &days) && nearest_retention(days) != days) {
        say_retention(rules, resource->subject, retention->span,
                      str_format(rules->session->arena, "%" PRId64 "d", days), nearest_retention(days), "");
    }
}
