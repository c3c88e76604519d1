// Rules about secrets. A dynamic reference of CloudFormation becomes the secret's text when the stack is deployed. So
// its place decides who can read it. Raw resources, outputs and patches are the author's to judge. And about the secrets
// of a job, which ECS reads when a container starts.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/arn.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/job.h"

// CloudFormation User Guide, Get values stored in other services using dynamic references, 2026-11. Those of `ssm` are
// no secrets.
static const char *const SECRETS[] = { "{{resolve:secretsmanager:", "{{resolve:ssm-secure:" };

static void check_text(const RuleTexts *texts, const Value *text) {
    Session *session = texts->rules->session;
    for (size_t i = 0; i < COUNT_OF(SECRETS); i++) {
        if (str_find(text->string, str_of(SECRETS[i]), 0) < text->string.len) {
            Diag *diag = plan_report(session, texts->subject, text->span, DIAG(secret_shown), texts->attribute);
            diag_help(session, diag, "give the ARN of the secret, and read it where it is used");
        }
    }
}

void rule_secrets_shown(const Rules *rules, const PlanPart *part) {
    for (int i = 0; i < part->kind->attribute_count; i++) {
        if (part->subject->values[i] != NULL) {
            const RuleTexts texts = { .rules = rules, .subject = part->subject, .attribute = part_attribute(part, i) };
            rules_each_text(&texts, part->subject->values[i], check_text);
        }
    }
}

// ---- of a job ----------------------------------------------------------------------------------------------------------

static const ValueEntry *variable_of(const PlanJob *job, Str name) {
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        if (str_equal(entry->key, name) && entry->value->kind != VALUE_NULL) {
            return entry;
        }
    }
    return NULL;
}

static void check_name(const Rules *rules, const PlanJob *job, const PlanSecret *secret) {
    const ValueEntry *variable = variable_of(job, secret->name);
    if (variable != NULL) {
        rules_secret_twice(rules, job->head.subject, secret->name_span, secret->name, variable->key_span);
    }
}

// On AWS Batch the key of a JSON stands in an ARN.
static void check_key(const Rules *rules, const PlanJob *job, const PlanSecret *secret) {
    if (secret->key == NULL || secret->key->kind != VALUE_STRING) {
        return;
    }
    const Str key = secret->key->string;
    const bool is_cut = job->eks == NULL && str_find(key, STR(":"), 0) < key.len;
    const char *fault = key.len == 0 ? "it is empty" : is_cut ? "it holds `:`" : NULL;
    if (fault != NULL) {
        Diag *diag =
            plan_report(rules->session, job->head.subject, secret->key->span, DIAG(secret_key), STR_ARG(key), fault);
        diag_help(rules->session, diag, "%s",
                  key.len == 0 ? "write `null`, or nothing, for the whole secret"
                               : "give the whole secret, and let the program take the value out of it");
    }
}

// The account of an ARN; empty of anything else.
static Str account_of(const Value *value) {
    return value != NULL && value->kind == VALUE_STRING ? arn_field(value->string, ARN_ACCOUNT) : STR_NONE;
}

// Nobody has written which account the job runs in. Two that differ are not both that one; a job and its role are.
static void check_account(const Rules *rules, const PlanJob *job, uint32_t index) {
    const PlanSecret *secret = &job->secrets.items[index];
    const Str account = account_of(secret->id);
    const Value *other = job->access->role;
    for (uint32_t i = 0; i < index && account_of(other).len == 0; i++) {
        other = job->secrets.items[i].id;
    }
    if (account.len == 0 || account_of(other).len == 0 || str_equal(account, account_of(other)) ||
        secret->kms_key != NULL) {
        return;
    }
    Diag *diag = plan_report(rules->session, job->head.subject, secret->id->span, DIAG(secret_account),
                             STR_ARG(account), STR_ARG(account_of(other)));
    diag_label(rules->session, diag, other->span, "of %.*s", STR_ARG(account_of(other)));
    diag_help(rules->session, diag, "name the KMS key of the secret: `secret(ARN, null, \"arn:…:key/…\")`");
}

void rule_secrets_of_job(const Rules *rules, const PlanJob *job) {
    for (uint32_t i = 0; i < job->secrets.count; i++) {
        check_name(rules, job, &job->secrets.items[i]);
        check_key(rules, job, &job->secrets.items[i]);
        check_account(rules, job, i);
    }
}
