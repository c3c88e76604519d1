// Rules about secrets that somebody wrote into a file, row by row of schema/credentials.def. What a job has in its
// environment or in its command stands in a template or a script, in the history of both, and in what the service shows.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/pattern.h"
#include "compiler/plan/model/allow.h"

typedef enum { BY_SECRET, BY_ROLE } WayOut;

typedef struct {
    const char *name; // what the variable's ends with; empty: any text
    const char *pattern;
    const char *what;
    WayOut way_out;
} CredentialRow;

static const CredentialRow CREDENTIAL_ROWS[] = {
#define CREDENTIAL(name, pattern, what, way_out) { name, pattern, what, way_out },
#include "schema/credentials.def"
};

static bool name_fits(const CredentialRow *row, Str name) {
    const Str end = str_of(row->name);
    return name.len >= end.len && str_equal_in_any_case(str_slice(name, name.len - end.len, name.len), end);
}

static void help(const RuleTexts *texts, Diag *diag, const CredentialRow *row, Str variable) {
    Session *session = texts->rules->session;
    const bool is_on_batch = texts->cluster->batch != NULL;
    if (row->way_out == BY_ROLE) {
        diag_help(session, diag, "leave it out: %s has keys of its own, and %s what it may do",
                  is_on_batch ? "the role of the job" : "the role of the nodes",
                  is_on_batch ? "`reads`, `writes` and `policies` say" : "`policies` of the group says");
    } else if (is_on_batch) {
        diag_help(session, diag, "keep it in AWS Secrets Manager, and write `secrets = { %.*s = secret(\"…\") }`",
                  STR_ARG(variable));
    } else {
        diag_help(session, diag, "keep it in AWS Secrets Manager, and let the command read it there");
    }
}

// `attribute` is the name of the variable; empty of a word of the command.
static void check_text(const RuleTexts *texts, const Value *text) {
    enum { TEXT_MAX = 64 * 1024 }; // no longer text is a key
    Session *session = texts->rules->session;
    const Str name = str_of(texts->attribute);
    for (size_t i = 0; i < COUNT_OF(CREDENTIAL_ROWS) && text->string.len <= TEXT_MAX; i++) {
        const CredentialRow *row = &CREDENTIAL_ROWS[i];
        if (!name_fits(row, name) || pattern_match(session, str_of(row->pattern), text->string, NULL) != PATTERN_YES) {
            continue;
        }
        Diag *diag = plan_report(session, texts->subject, text->span, DIAG(credential_written), row->what);
        help(texts, diag, row, name.len > 0 ? name : STR("NAME"));
        return;
    }
}

void rule_credentials(const Rules *rules, const PlanJob *job) {
    RuleTexts texts = { .rules = rules, .subject = job->head.subject, .cluster = job->cluster, .attribute = "" };
    if (job->command != NULL) {
        rules_each_text(&texts, job->command, check_text);
    }
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        texts.attribute = str_c(rules->session->arena, entry->key);
        rules_each_text(&texts, entry->value, check_text);
    }
}
