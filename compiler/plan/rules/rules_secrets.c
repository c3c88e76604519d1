// Rules about secrets: a dynamic reference of CloudFormation becomes the secret's text when the stack is deployed, so
// where it stands decides who can read it. Raw resources, outputs and patches are the author's to judge.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"

// CloudFormation User Guide, Get values stored in other services using dynamic references, 2026-11. Those of `ssm` are
// no secrets.
static const char *const SECRETS[] = { "{{resolve:secretsmanager:", "{{resolve:ssm-secure:" };

static void check_text(const Rules *rules, const Block *block, const char *attribute, const Value *text) {
    for (size_t i = 0; i < COUNT_OF(SECRETS); i++) {
        if (str_find(text->string, str_of(SECRETS[i]), 0) < text->string.len) {
            Diag *diag = plan_report(rules->session, block, text->span, DIAG(secret_shown), attribute);
            diag_help(rules->session, diag, "give the ARN of the secret, and read it where it is used");
        }
    }
}

void rule_secrets_shown(const Rules *rules, const Block *block) {
    for (int i = 0; i < block->kind->attribute_count; i++) {
        if (block->values[i] != NULL) {
            rules_each_text(rules, block, block->kind->attributes[i].name, block->values[i], check_text);
        }
    }
}
