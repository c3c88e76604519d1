// The resource of a statement is the ARN of a key. An alias is none: IAM takes it as a condition on all keys.
// source: AWS KMS Developer Guide, Use aliases to control access to KMS keys; kms:ViaService, 2026-11
#include "emitters/cloudformation/access/kms.h"

#include "compiler/plan/model/shared.h"
#include "emitters/cloudformation/access/iam.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/sub.h"
#include "emitters/cloudformation/template/template_value.h"

typedef enum { KEY_ID, KEY_ARN, KEY_ALIAS, KEY_ALIAS_ARN, KEY_UNKNOWN } KeyForm;

static KeyForm form_of_text(Str text) {
    if (str_starts_with(text, STR("arn:"))) {
        return str_find(text, STR(":alias/"), 0) < text.len ? KEY_ALIAS_ARN : KEY_ARN;
    }
    return str_starts_with(text, STR("alias/")) ? KEY_ALIAS : KEY_ID;
}

static KeyForm form_of(const Value *key) {
    Str attribute;
    const Resource *resource = plan_shared_resource(key, &attribute);
    if (key->kind == VALUE_STRING) {
        return form_of_text(key->string);
    }
    if (resource != NULL && attribute.len > 0) {
        return KEY_ARN;
    }
    if (resource != NULL) {
        return str_is(resource->type, "AWS::KMS::Alias") ? KEY_ALIAS : KEY_ID;
    }
    const Value *first = key->kind == VALUE_LATE && key->late->kind == LATE_TEXT ? key->late->parts[0] : NULL;
    const bool is_told = first != NULL && first->kind == VALUE_STRING && form_of_text(first->string) != KEY_ID;
    return is_told ? form_of_text(first->string) : KEY_UNKNOWN;
}

static DocNode *key_arn(Stack *stack, const KmsUse *use, const Value *id) {
    SubText text = { .stack = stack };
    sub_add(&text, STR("arn:"), why(use->reason));
    sub_add_reference(&text, STR("AWS::Partition"), why(use->reason));
    sub_add(&text, STR(":kms:"), why(use->reason));
    if (use->region.len > 0) {
        sub_add(&text, use->region, why(use->reason));
    } else {
        sub_add_reference(&text, STR("AWS::Region"), why(use->reason));
    }
    sub_add(&text, STR(":"), why(use->reason));
    sub_add_reference(&text, STR("AWS::AccountId"), why(use->reason));
    sub_add(&text, STR(":key/"), why(use->reason));
    if (id == NULL) {
        sub_add(&text, STR("*"), why(use->reason));
    } else {
        sub_add_value(&text, id);
    }
    return sub_node(&text);
}

// "arn:aws:kms:us-east-1:123456789012:alias/x" is an alias of a key there.
static DocNode *keys_of_alias(Stack *stack, const KmsUse *use, size_t alias) {
    const Str text = str_format(stack->arena, "%.*skey/*", STR_ARG(str_slice(use->key->string, 0, alias)));
    return doc_string(stack->doc, text, origin_join(stack->arena, use->key->origin, why(use->reason)));
}

static DocNode *via_service(Stack *stack, const KmsUse *use) {
    SubText text = { .stack = stack };
    sub_add(&text, str_format(stack->arena, "%s.", use->service), why(use->reason));
    if (use->region.len > 0) {
        sub_add(&text, use->region, why(use->reason));
    } else {
        sub_add_reference(&text, STR("AWS::Region"), why(use->reason));
    }
    sub_add(&text, STR(".*"), why(use->reason));
    return sub_node(&text);
}

static void put_alias(Stack *stack, DocNode *condition, DocNode *alias) {
    tree_put(stack->doc, tree_put_map(stack->doc, condition, "ForAnyValue:StringEquals"), "kms:ResourceAliases", alias);
}

bool kms_is_same_use(const KmsUse *a, const KmsUse *b) {
    return strcmp(a->service, b->service) == 0 && str_equal(a->region, b->region) && value_equal(a->key, b->key);
}

void kms_allow(Stack *stack, DocNode *document, KmsUse use) {
    doc_because(stack->doc, use.key->origin);
    DocNode *statement = iam_statement(stack, document);
    iam_put_actions(stack, statement, use.actions, use.count, use.reason);
    DocNode *condition = doc_map(stack->doc);
    tree_put(stack->doc, tree_put_map(stack->doc, condition, "StringLike"), "kms:ViaService", via_service(stack, &use));
    const KeyForm form = form_of(use.key);
    const bool is_text = use.key->kind == VALUE_STRING;
    const size_t alias = is_text ? str_find(use.key->string, STR("alias/"), 0) : 0;
    switch (form) {
    case KEY_ID:
        tree_put(stack->doc, statement, "Resource", key_arn(stack, &use, use.key));
        break;
    case KEY_ARN:
        tree_put(stack->doc, statement, "Resource", template_value(stack, use.key));
        break;
    case KEY_ALIAS:
        tree_put(stack->doc, statement, "Resource", key_arn(stack, &use, NULL));
        put_alias(stack, condition, template_value(stack, use.key));
        break;
    case KEY_ALIAS_ARN:
        if (is_text) {
            tree_put(stack->doc, statement, "Resource", keys_of_alias(stack, &use, alias));
            put_alias(stack, condition,
                      doc_string(stack->doc, str_slice(use.key->string, alias, use.key->string.len), use.key->origin));
            break;
        }
        tree_put_text(stack->doc, statement, "Resource", use.reason, "*");
        break;
    case KEY_UNKNOWN:
        tree_put_text(stack->doc, statement, "Resource", use.reason, "*");
        break;
    }
    tree_put(stack->doc, statement, "Condition", condition);
    doc_unbecause(stack->doc);
}
