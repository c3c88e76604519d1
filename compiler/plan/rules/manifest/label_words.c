// A rule about values of labels of nodes that have a few words each. Kubernetes and Karpenter take any: the pods are Pending,
// and no node is started.
#include "compiler/plan/rules/manifest/object_words.h"
#include "compiler/plan/rules/node_selector.h"

#include "compiler/plan/model/object_value.h"

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
} LabelWordsCheck;

static void check_value(const LabelWordsCheck *check, Str key, const Value *value) {
    for (size_t i = 0; value->kind == VALUE_STRING && i < COUNT_OF(LABELS); i++) {
        if (str_is(key, LABELS[i].key)) {
            object_check_word(check->rules, check->object, key, str_of(LABELS[i].words), value);
        }
    }
}

static void check_label(void *context, const NodeSelector *selector) {
    const Value *values = selector->values;
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
    if (str_starts_with(object->resource->type, STR("karpenter.sh/"))) {
        const Value *spec = object_get(object_get(object->fields, "spec"), "template");
        node_selector_each_requirement(object_get(object_get(spec, "spec"), "requirements"), check_label, &check);
    }
    for (uint32_t i = 0; i < object->pods.count; i++) {
        node_selector_each(object->pods.items[i].spec, check_label, &check);
    }
}
