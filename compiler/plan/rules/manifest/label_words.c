// A rule about values of labels of nodes that have a few words each. Kubernetes and Karpenter take any: the pods are Pending,
// and no node is started.
#include "compiler/plan/rules/manifest/object_words.h"
#include "compiler/plan/rules/node_selector.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/vpc.h"

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
