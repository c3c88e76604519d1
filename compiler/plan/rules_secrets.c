// Rules about secrets: a dynamic reference of CloudFormation becomes the secret's text when the stack is deployed, so where
// it stands decides who can read it. Raw resources, outputs and patches are the author's to judge.
#include "compiler/plan/rules.h"

// CloudFormation User Guide, Get values stored in other services using dynamic references, 2026-11. Those of `ssm` are no
// secrets.
static const char *const SECRETS[] = { "{{resolve:secretsmanager:", "{{resolve:ssm-secure:" };

static void check_value(const Rules *rules, const Block *block, const char *attribute, const Value *value);

static void check_values(const Rules *rules, const Block *block, const char *attribute, const Value *const *values,
                         uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        check_value(rules, block, attribute, values[i]);
    }
}

static void check_value(const Rules *rules, const Block *block, const char *attribute, const Value *value) {
    if (value->kind == VALUE_STRING) {
        for (size_t i = 0; i < COUNT_OF(SECRETS); i++) {
            if (str_find(value->string, str_of(SECRETS[i]), 0) < value->string.len) {
                Diag *diag = plan_report(rules->session, block, value->span, DIAG(secret_shown), attribute);
                diag_help(rules->session, diag, "give the ARN of the secret, and read it where it is used");
            }
        }
    } else if (value->kind == VALUE_LIST) {
        check_values(rules, block, attribute, value->list.items, value->list.count);
    } else if (value->kind == VALUE_TAG) {
        check_values(rules, block, attribute, value->tag.arguments, value->tag.count);
    } else if (value->kind == VALUE_LATE) {
        check_values(rules, block, attribute, value->late->parts, value->late->part_count);
    } else if (value->kind == VALUE_MAP) {
        for (uint32_t i = 0; i < value->map.count; i++) {
            check_value(rules, block, attribute, value->map.entries[i].value);
        }
    }
}

void rule_secrets_shown(const Rules *rules, const Block *block) {
    for (int i = 0; i < block->kind->attribute_count; i++) {
        if (block->values[i] != NULL) {
            check_value(rules, block, block->kind->attributes[i].name, block->values[i]);
        }
    }
}
