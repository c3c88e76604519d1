// Rules about keys of labels of nodes that pods and queues ask for. Kubernetes takes any key.
#include "compiler/plan/rules/node_selector.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "schema/names.h"

// A path of keys through maps and lists; what stands there is the key of a label, or a map whose keys are.
typedef struct {
    const char *path;
    bool is_map;
} KeyPath;

// Beside those by which they choose nodes.
static const KeyPath OF_PODS[] = {
    { "topologySpreadConstraints.topologyKey", false },
    { "affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution.topologyKey", false },
    { "affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution.podAffinityTerm.topologyKey", false },
    { "affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.topologyKey", false },
    { "affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution.podAffinityTerm.topologyKey", false },
};

// Kueue's own, of any version.
static const KeyPath OF_KUEUE[] = { { "spec.levels.nodeLabel", false }, { "spec.nodeLabels", true } };

// Of a NodePool. Rule node_pool speaks of labels that would be Karpenter's own.
static const KeyPath OF_POOLS = { "spec.template.spec.requirements.key", false };

// Annotations of objects and of pods that name a label.
// source: kubernetes-sigs/jobset@08dfbdfd api/jobset/v1alpha2, ExclusiveKey; kubernetes-sigs/lws@060ab4da
// api/leaderworkerset/v1, ExclusiveKeyAnnotationKey; kubernetes-sigs/kueue@ff69552e apis/kueue/v1beta2/topology_types.go;
// read 2026-11-27
static const char *const ANNOTATIONS[] = {
    "alpha.jobset.sigs.k8s.io/exclusive-topology",   "leaderworkerset.sigs.k8s.io/exclusive-topology",
    "kueue.x-k8s.io/podset-required-topology",       "kueue.x-k8s.io/podset-preferred-topology",
    "kueue.x-k8s.io/podset-slice-required-topology",
};

static const NameListId KNOWN[] = { NAMES_KUBELET_LABELS, NAMES_KARPENTER_LABELS, NAMES_LABELS_OF_AWS };

typedef struct {
    const Rules *rules;
    const PlanObject *object;
} NodeLabelsCheck;

// Whether texts differ in their digits alone: `layer-4` may be a label that is newer than the list.
static bool is_other_number(Str a, Str b) {
    bool is = a.len == b.len;
    for (size_t i = 0; is && i < a.len; i++) {
        is = a.data[i] == b.data[i] || (char_is_digit(a.data[i]) && char_is_digit(b.data[i]));
    }
    return is;
}

static Str without_dashes(Arena *arena, Str text) {
    return str_replaced(arena, text, STR("-"), STR(""));
}

static Str domain_of(Str key) {
    return str_slice(key, 0, str_find_sign(key, '/', 0));
}

// The label of Kubernetes that is written out, `kubernetes.io/architecture`, or in another of its domains,
// `kubernetes.io/instance-type`; empty: none.
static Str meant_of_kubernetes(Str key) {
    const NameList names = names_of(NAMES_KUBELET_LABELS);
    const Str domain = domain_of(key);
    const Str word = str_slice(key, domain.len, key.len);
    Str meant = STR_NONE;
    for (size_t i = 0; str_ends_with(domain, STR("kubernetes.io")) && meant.len == 0 && i < names.count; i++) {
        const Str name = str_of(names.items[i]);
        const bool is_longer = str_starts_with(key, name) && str_find_sign(key, '-', name.len) == key.len;
        meant = is_longer || str_equal(word, str_slice(name, domain_of(name).len, name.len)) ? name : STR_NONE;
    }
    return meant;
}

static void check_key(const NodeLabelsCheck *check, Str key, Span span) {
    Session *session = check->rules->session;
    Suggestion suggestion = suggest_for(session, key);
    Suggestion of_number = suggestion; // among those with the same digits
    const bool is_of_pool = str_starts_with(check->object->resource->type, STR("karpenter.sh/"));
    if (str_find_sign(key, '/', 0) == key.len || str_has(key, "$") || str_has(key, "{") ||
        (is_of_pool && str_starts_with(key, STR("karpenter.")))) {
        return;
    }
    for (size_t i = 0; i < COUNT_OF(KNOWN); i++) {
        const NameList names = names_of(KNOWN[i]);
        for (size_t k = 0; k < names.count; k++) {
            if (str_is_word(key, names.items[k])) {
                return;
            }
            suggest_offer(&suggestion, str_of(names.items[k]));
            if (suggest_is_of_digits(key, str_of(names.items[k]))) {
                suggest_offer(&of_number, str_of(names.items[k]));
            }
        }
    }
    const Str meant = suggestion.best.len == 0 ? meant_of_kubernetes(key) : STR_NONE;
    if (meant.len > 0) {
        Diag *diag = plan_report(session, check->object->subject, span, DIAG(node_label_unknown), STR_ARG(key));
        diag_help(session, diag, "write `%.*s`", STR_ARG(meant));
        return;
    }
    if (suggestion.best.len == 0 || is_other_number(suggestion.best, key)) {
        return;
    }
    Diag *diag = plan_report(session, check->object->subject, span, DIAG(node_label_unknown), STR_ARG(key));
    const bool is_sure = suggest_is_sure(&of_number);
    suggest_say(session, diag, is_sure ? &of_number : &suggestion, span);
    if (!is_sure && str_equal(without_dashes(session->arena, key), without_dashes(session->arena, of_number.best)) &&
        suggest_is_written(session, &of_number, span)) {
        diag_fix(session, diag, span, of_number.best); // `layer3`: nobody else gives names to these
    }
}

static void check_selected(void *context, const NodeSelector *selector) {
    check_key(context, selector->key, selector->span);
}

static void check_path(const NodeLabelsCheck *check, const KeyPath *row, Str path, const Value *value) {
    const size_t dot = str_find_sign(path, '.', 0);
    for (uint32_t i = 0; value != NULL && value->kind == VALUE_LIST && i < value->list.count; i++) {
        check_path(check, row, path, value->list.items[i]);
    }
    if (value == NULL || value->kind == VALUE_LIST) {
        return;
    }
    if (path.len > 0) {
        const char *key = str_c(check->rules->session->arena, str_slice(path, 0, dot));
        check_path(check, row, str_slice(path, dot + 1, path.len), object_get(value, key));
    } else if (!row->is_map) {
        check_key(check, object_text(value), value->span);
    }
    for (uint32_t i = 0; path.len == 0 && row->is_map && value->kind == VALUE_MAP && i < value->map.count; i++) {
        check_key(check, value->map.entries[i].key, value->map.entries[i].key_span);
    }
}

static void check_annotations(const NodeLabelsCheck *check, const Value *outer) {
    const Value *annotations = object_get(object_get(outer, "metadata"), "annotations");
    for (size_t i = 0; i < COUNT_OF(ANNOTATIONS); i++) {
        const Value *value = object_get(annotations, ANNOTATIONS[i]);
        if (value != NULL) {
            check_key(check, object_text(value), value->span);
        }
    }
}

void rule_node_labels(const Rules *rules, const PlanObject *object) {
    NodeLabelsCheck check = { .rules = rules, .object = object };
    if (object->is_changed) {
        return;
    }
    for (size_t i = 0; i < COUNT_OF(OF_KUEUE) && str_starts_with(object->resource->type, STR("kueue.x-k8s.io/")); i++) {
        check_path(&check, &OF_KUEUE[i], str_of(OF_KUEUE[i].path), object->fields);
    }
    if (str_starts_with(object->resource->type, STR("karpenter.sh/"))) {
        check_path(&check, &OF_POOLS, str_of(OF_POOLS.path), object->fields);
    }
    check_annotations(&check, object->fields);
    for (uint32_t i = 0; i < object->pods.count; i++) {
        const Value *pod = object->pods.items[i].spec;
        node_selector_each(pod, check_selected, &check);
        for (size_t k = 0; k < COUNT_OF(OF_PODS); k++) {
            check_path(&check, &OF_PODS[k], str_of(OF_PODS[k].path), pod);
        }
        if (object->pods.items[i].around != object->fields) {
            check_annotations(&check, object->pods.items[i].around);
        }
    }
}
