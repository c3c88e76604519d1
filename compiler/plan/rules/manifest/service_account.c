// Rules about the role that a ServiceAccount gives to its pods, by an annotation that a webhook of EKS reads. Kubernetes takes
// any annotation, and the pods then ask AWS as the role of their node, or as a role that is none.
// source: aws/amazon-eks-pod-identity-webhook README, "EKS Walkthrough"; Amazon EKS User Guide, Assign IAM roles to
// Kubernetes service accounts, read 2026-11-27
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/placeholder.h"

static const char ROLE_KEY[] = "eks.amazonaws.com/role-arn";

// A key of EKS about a role, as far as its words tell. kube2iam has one with another domain.
static bool is_about_role(Str key) {
    return str_has(key, "eks.") && str_has(key, "amazon") && str_has(str_after_last(key, '/'), "role") &&
           !str_is_word(key, ROLE_KEY);
}

static const char *fault_of(Str text) {
    size_t start = 0;
    size_t end = 0;
    if (text.len == 0 || placeholder_find(text, TEXT_VALUE, 0, &start, &end) || str_has(text, "$") ||
        str_has(text, "<") || str_has(text, "{")) {
        return NULL;
    }
    if (str_starts_with(text, STR("arn:"))) {
        return str_has(text, ":role/") ? NULL : "this ARN is of no role";
    }
    return "this is no ARN, by which alone a role is found";
}

static Diag *say(const Rules *rules, const PlanObject *object, Span span, const char *why, const char *help) {
    Diag *diag = plan_report(rules->session, object->subject, span, DIAG(account_role), why);
    diag_help(rules->session, diag, "%s", help);
    return diag;
}

void rule_service_account(const Rules *rules, const PlanObject *object) {
    const Value *annotations = object_get(object_get(object->fields, "metadata"), "annotations");
    const bool is_account = str_is(object->resource->type, "v1/ServiceAccount");
    // A manifest without more than its metadata may be part of a patch, whose annotations are used as they are.
    const bool is_known = is_account && (object->is_manifest || !object->is_changed);
    const bool are_known = is_known && annotations != NULL && annotations->kind == VALUE_MAP;
    const bool has_role = object_get(annotations, ROLE_KEY) != NULL;
    for (uint32_t i = 0; are_known && i < annotations->map.count; i++) {
        const ValueEntry *entry = &annotations->map.entries[i];
        const char *fault = str_is_word(entry->key, ROLE_KEY) ? fault_of(object_text(entry->value)) : NULL;
        if (fault != NULL) {
            say(rules, object, entry->value->span, fault, "write the whole ARN, `arn:aws:iam::ACCOUNT:role/NAME`");
        } else if (is_about_role(entry->key) && !has_role) {
            Diag *diag = say(rules, object, entry->key_span, "nothing of EKS reads this annotation",
                             "write `eks.amazonaws.com/role-arn`");
            if (str_is(str_after_last(entry->key, '/'), "role-arn")) {
                rule_replace(rules, diag, entry->key_span, entry->key, str_of(ROLE_KEY));
            }
        }
    }
}
