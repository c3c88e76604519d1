// A rule about values of labels of nodes that have a few words each. Kubernetes and Karpenter take any: the pods are Pending,
// and no node is started.
#include "compiler/plan/rules/manifest/object_words.h"

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

static void check_value(const Rules *rules, const PlanObject *object, Str key, const Value *value) {
    for (size_t i = 0; value != NULL && value->kind == VALUE_STRING && i < COUNT_OF(LABELS); i++) {
        if (str_is(key, LABELS[i].key)) {
            object_check_word(rules, object, key, str_of(LABELS[i].words), value);
        }
    }
}

// What a pool requires of its nodes, or a pod of the one that it runs on.
static void check_requirements(const Rules *rules, const PlanObject *object, const Value *list) {
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Str key = object_text(object_get(list->list.items[i], "key"));
        const Value *values = object_get(list->list.items[i], "values");
        for (uint32_t k = 0; k < object_count(values); k++) {
            check_value(rules, object, key, values->list.items[k]);
        }
    }
}

static void check_pod(const Rules *rules, const PlanObject *object, const Value *pod) {
    const Value *selector = object_get(pod, "nodeSelector");
    for (uint32_t i = 0; selector != NULL && selector->kind == VALUE_MAP && i < selector->map.count; i++) {
        check_value(rules, object, selector->map.entries[i].key, selector->map.entries[i].value);
    }
    const Value *affinity = object_get(object_get(pod, "affinity"), "nodeAffinity");
    const Value *required = object_get(affinity, "requiredDuringSchedulingIgnoredDuringExecution");
    const Value *terms = object_get(required, "nodeSelectorTerms");
    for (uint32_t i = 0; i < object_count(terms); i++) {
        check_requirements(rules, object, object_get(terms->list.items[i], "matchExpressions"));
    }
    const Value *preferred = object_get(affinity, "preferredDuringSchedulingIgnoredDuringExecution");
    for (uint32_t i = 0; i < object_count(preferred); i++) {
        const Value *preference = object_get(preferred->list.items[i], "preference");
        check_requirements(rules, object, object_get(preference, "matchExpressions"));
    }
}

void rule_label_words(const Rules *rules, const PlanObject *object) {
    if (object->is_changed) {
        return;
    }
    if (str_starts_with(object->resource->type, STR("karpenter.sh/"))) {
        const Value *spec = object_get(object_get(object->fields, "spec"), "template");
        check_requirements(rules, object, object_get(object_get(spec, "spec"), "requirements"));
    }
    for (uint32_t i = 0; i < object->pods.count; i++) {
        check_pod(rules, object, object->pods.items[i].spec);
    }
}
