// Rules about the database in which Slurm counts what jobs use: of a cluster in infra.dt, and of a file of ParallelCluster.
// Both are parts of slurmdbd.conf on the head node.
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/configuration.h"
#include "compiler/plan/model/object_value.h"
#include "schema/limits.h"

enum { PORT_MAX = 65535 };

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

static void bad_database(const Rules *rules, const PlanCluster *cluster, const Value *value, const char *fault,
                         const char *help) {
    Diag *diag = plan_report(rules->session, cluster->head.subject, value->span, DIAG(bad_database),
                             STR_ARG(value->string), fault);
    diag_help(rules->session, diag, "%s", help);
}

static const char *text_of_limit(const Rules *rules, const char *text, int limit) {
    return str_c(rules->session->arena, str_format(rules->session->arena, text, limit));
}

static bool is_database_name(Str name) {
    bool is_good = name.len > 0 && name.len <= LIMIT_DATABASE_NAME_MAX;
    for (size_t i = 0; is_good && i < name.len; i++) {
        const char c = name.data[i];
        is_good = is_lower(c) || char_is_digit(c) || c == '_';
    }
    return is_good;
}

// A name or an address of IPv4, and a port.
static bool is_host(Str host) {
    const size_t end = str_find(host, STR(":"), 0);
    int64_t port = end == host.len ? 1 : 0;
    for (size_t i = end + 1; i < host.len; i++) {
        port = char_is_digit(host.data[i]) && port <= PORT_MAX ? port * 10 + (host.data[i] - '0') : PORT_MAX + 1;
    }
    bool is_good = end > 0 && port >= 1 && port <= PORT_MAX;
    for (size_t i = 0; is_good && i < end; i++) {
        const char c = host.data[i];
        is_good = is_lower(c) || (c >= 'A' && c <= 'Z') || char_is_digit(c) || c == '-' || c == '.';
    }
    return is_good;
}

// It becomes a line of slurmdbd.conf.
static bool is_user(Str user) {
    bool is_good = user.len > 0 && user.len <= LIMIT_DATABASE_USER_MAX;
    for (size_t i = 0; is_good && i < user.len; i++) {
        is_good = (unsigned char)user.data[i] > ' ' && user.data[i] != '#' && user.data[i] != 0x7f;
    }
    return is_good;
}

// Why a text is no host of a database; NULL: it is one.
static const char *host_fault(Str host) {
    return str_find(host, STR("/"), 0) < host.len ? "it is a URL or a path, not a host"
           : !is_host(host)                       ? "it is no host, with `:PORT` where that is not 3306"
                                                  : NULL;
}

void rule_slurm_database(const Rules *rules, const PlanCluster *cluster) {
    const Value *tag = cluster->slurm->database;
    if (tag == NULL || tag->kind != VALUE_TAG) {
        return;
    }
    const Value *host = tag->tag.arguments[0];
    const char *fault = host->kind == VALUE_STRING ? host_fault(host->string) : NULL;
    if (fault != NULL) {
        bad_database(rules, cluster, host, fault, "write the host alone, or `host:3306`");
    }
    const Value *user = tag->tag.arguments[1];
    if (user->kind == VALUE_STRING && !is_user(user->string)) {
        bad_database(
            rules, cluster, user,
            text_of_limit(rules, "it is not of 1 to %d characters without blanks and `#`", LIMIT_DATABASE_USER_MAX),
            "write the name of the user alone");
    }
    const Value *name = tag->tag.count > 3 ? tag->tag.arguments[3] : NULL;
    if (name != NULL && name->kind == VALUE_STRING && !is_database_name(name->string)) {
        bad_database(
            rules, cluster, name,
            text_of_limit(rules, "it is not of 1 to %d small letters, digits and `_`", LIMIT_DATABASE_NAME_MAX),
            "leave it out: it is then made from the cluster's name");
    }
}

// The same in a file of ParallelCluster's own.
void rule_configuration_database(const Rules *rules, const PlanConfiguration *configuration) {
    const Value *settings = object_get(object_get(configuration->document, "Scheduling"), "SlurmSettings");
    const Value *database = object_get(settings, "Database");
    const Value *host = object_get(database, "Uri");
    const Value *secret = object_get(database, "PasswordSecretArn");
    const char *fault = object_text(host).len > 0 ? host_fault(host->string) : NULL;
    if (fault != NULL) {
        Diag *diag = plan_report(rules->session, configuration_subject(configuration, host->span), host->span,
                                 DIAG(bad_database), STR_ARG(host->string), fault);
        diag_help(rules->session, diag, "write the host alone, or `host:3306`");
        const Str scheme = STR("mysql://");
        const Str rest = str_slice(host->string, scheme.len, host->string.len);
        if (str_starts_with(host->string, scheme) && host_fault(rest) == NULL) {
            rule_replace(rules, diag, host->span, host->string, rest);
        }
    }
    const Str arn = object_text(secret);
    if (arn.len > 0 && (!str_starts_with(arn, STR("arn:")) || str_find(arn, STR(":secret"), 0) == arn.len)) {
        Diag *diag = plan_report(rules->session, configuration_subject(configuration, secret->span), secret->span,
                                 DIAG(bad_database), STR_ARG(arn), "it is no ARN of a secret");
        diag_help(rules->session, diag, "write the ARN of a secret of Secrets Manager that holds the password alone");
    }
}
