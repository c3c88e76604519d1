// Rules about labels: those of nodes that have a few words each, of which Kubernetes and Karpenter take any, so that the pods
// are Pending and no node is started, and what keys and values are made of.
#include "compiler/plan/rules/manifest/object_words.h"
#include "compiler/plan/rules/node_selector.h"

#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/vpc.h"
#include "compiler/plan/rules/placeholder.h"

// source: aws/karpenter-provider-aws@1d927085 and kubernetes-sigs/karpenter@2266468 pkg/apis/v1/labels.go, CapacityType…;
// Amazon EKS User Guide, Managed node group capacity types; Kubernetes, Well-Known Labels, GOARCH and GOOS of the kubelet;
// read 2026-11
static const struct {
    const char *key;
    const char *words;
} LABELS[] = {
    { "karpenter.sh/capacity-type", "on-demand|spot|reserved" },
    { "eks.amazonaws.com/capacityType", "ON_DEMAND|SPOT|CAPACITY_BLOCK" },
    { "kubernetes.io/arch", "amd64|arm64|ppc64le|s390x|riscv64|arm|386" },
    { "beta.kubernetes.io/arch", "amd64|arm64|ppc64le|s390x|riscv64|arm|386" },
    { "kubernetes.io/os", "linux|windows" },
    { "beta.kubernetes.io/os", "linux|windows" },
};

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    bool is_pool; // rule node_pool looks at its zones
} LabelWordsCheck;

// Labels that have the name of a zone.
static bool is_zone(Str key) {
    return str_is(key, "topology.kubernetes.io/zone") || str_is(key, "failure-domain.beta.kubernetes.io/zone");
}

// Ids have a label of their own. Clouds of others have zones of their own, too: only what EC2 surely has not is said.
static void check_zone(const LabelWordsCheck *check, Str key, const Value *value) {
    const Str text = object_text(value);
    if (schema_region(text) != NULL) {
        Diag *diag = plan_report(check->rules->session, check->object->subject, value->span, DIAG(object_word),
                                 STR_ARG(key), STR_ARG(text));
        diag_help(check->rules->session, diag, "write a zone of the region, such as `%.*sa`", STR_ARG(text));
        return;
    }
    if (text.len == 0 || schema_zone_region(text) == NULL) {
        return;
    }
    if (str_find(text, STR("-az"), 0) < text.len) {
        Diag *diag = plan_report(check->rules->session, check->object->subject, value->span, DIAG(object_word),
                                 STR_ARG(key), STR_ARG(text));
        diag_help(check->rules->session, diag, "write the name of a zone, or ask by `topology.k8s.aws/zone-id`");
    } else if (!check->is_pool && schema_zone_is_named(text) == 0) {
        const Value **items = arena_alloc(check->rules->session->arena, sizeof *items);
        items[0] = value;
        const PlanVpc vpc = { .subject = check->object->subject,
                              .zones = value_list(check->rules->session->arena, value->span, NULL, items, 1),
                              .what = "pod" };
        rule_vpc_zones(check->rules, &vpc);
    }
}

static void check_value(const LabelWordsCheck *check, Str key, const Value *value) {
    for (size_t i = 0; value->kind == VALUE_STRING && i < COUNT_OF(LABELS); i++) {
        if (str_is(key, LABELS[i].key)) {
            object_check_word(check->rules, check->object, key, str_of(LABELS[i].words), value);
        }
    }
    if (value->kind == VALUE_STRING && is_zone(key)) {
        check_zone(check, key, value);
    }
}

static void check_label(void *context, const NodeSelector *selector) {
    const Value *values = str_is(selector->relation, "NotIn") ? NULL : selector->values;
    if (values != NULL) {
        check_value(context, selector->key, values);
    }
    for (uint32_t i = 0; i < object_count(values); i++) {
        check_value(context, selector->key, values->list.items[i]);
    }
}

// What a pool requires of its nodes, or a pod of the one that it runs on.
void rule_label_words(const Rules *rules, const PlanObject *object) {
    LabelWordsCheck check = { .rules = rules, .object = object };
    if (object->is_changed) {
        return;
    }
    check.is_pool = str_starts_with(object->resource->type, STR("karpenter.sh/"));
    if (check.is_pool) {
        const Value *spec = object_get(object_get(object->fields, "spec"), "template");
        node_selector_each_requirement(object_get(object_get(spec, "spec"), "requirements"), check_label, &check);
    }
    for (uint32_t i = 0; i < object->pods.count; i++) {
        node_selector_each(object->pods.items[i].spec, check_label, &check);
    }
}

// ---- what labels are made of -----------------------------------------------------------------------------------------

// source: kubernetes/apimachinery pkg/util/validation/validation.go, IsQualifiedName and IsValidLabelValue, 1.34, read 2026-11
static bool is_word_of_label(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        const bool is_end = i == 0 || i + 1 == text.len;
        const bool is_letter = (char_small(c) >= 'a' && char_small(c) <= 'z') || char_is_digit(c);
        if (!is_letter && (is_end || memchr("-_.", c, 3) == NULL)) {
            return false;
        }
    }
    return true;
}

// The part before the `/` is the name of a domain.
static bool is_domain(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        const bool is_end = i == 0 || i + 1 == text.len || text.data[i - 1] == '.' || text.data[i + 1] == '.';
        const bool is_letter = (c >= 'a' && c <= 'z') || char_is_digit(c);
        if (!is_letter && (is_end || memchr("-.", c, 2) == NULL)) {
            return false;
        }
    }
    return text.len > 0 && text.len <= LIMIT_KUBERNETES_DOMAIN_MAX;
}

static bool is_label_key(Str key) {
    const size_t slash = str_find(key, STR("/"), 0);
    const Str name = slash < key.len ? str_slice(key, slash + 1, key.len) : key;
    return name.len > 0 && name.len <= LIMIT_KUBERNETES_NAME_MAX && is_word_of_label(name) &&
           (slash == key.len || is_domain(str_slice(key, 0, slash)));
}

// Another program, or somebody, puts a text in its place.
static bool is_open(Str text) {
    return placeholder_is_open(text) || placeholder_is_filled_in(text);
}

static void report_label(const LabelWordsCheck *check, Span span, Str name, const char *takes, Str found) {
    Session *session = check->rules->session;
    const Str quoted = str_format(session->arena, "`%.*s`", STR_ARG(found));
    Diag *diag = plan_report(session, check->object->subject, span, DIAG(object_limit), STR_ARG(name), takes,
                             str_c(session->arena, quoted));
    diag_help(session, diag, "take letters, digits, `-`, `_` and `.`, %d at most, and a letter or a digit at both ends",
              LIMIT_KUBERNETES_NAME_MAX);
}

// `name` is that of the map.
static void check_labels(const LabelWordsCheck *check, const char *name, const Value *labels) {
    for (uint32_t i = 0; labels != NULL && labels->kind == VALUE_MAP && i < labels->map.count; i++) {
        const ValueEntry *entry = &labels->map.entries[i];
        const Str text = object_text(entry->value);
        if (!is_open(entry->key) && !is_label_key(entry->key)) {
            report_label(check, entry->key_span, str_of(name), "keys of labels", entry->key);
        }
        if (!is_open(text) && (text.len > LIMIT_KUBERNETES_NAME_MAX || !is_word_of_label(text))) {
            report_label(check, entry->value->span, entry->key, "the value of a label", text);
        }
    }
}

void rule_object_labels(const Rules *rules, const PlanObject *object) {
    const LabelWordsCheck check = { .rules = rules, .object = object };
    const Value *selector = object_get(object_get(object->fields, "spec"), "selector");
    if (object->is_changed || rules->plan->are_bases) {
        return;
    }
    check_labels(&check, "labels", object_get(object_get(object->fields, "metadata"), "labels"));
    check_labels(&check, "matchLabels", object_get(selector, "matchLabels"));
    if (str_is(object->resource->type, "v1/Service")) {
        check_labels(&check, "selector", selector);
    }
    for (uint32_t i = 0; i < object->pods.count; i++) {
        const PlanPod *pod = &object->pods.items[i];
        const bool is_own = pod->around == object->fields; // of a Pod
        check_labels(&check, "labels", is_own ? NULL : object_get(object_get(pod->around, "metadata"), "labels"));
        check_labels(&check, "nodeSelector", object_get(pod->spec, "nodeSelector"));
    }
}
