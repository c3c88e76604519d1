// Rules about secrets. A dynamic reference of CloudFormation becomes the secret's text when the stack is deployed. So
// its place decides who can read it. Raw resources, outputs and patches are the author's to judge.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"

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
