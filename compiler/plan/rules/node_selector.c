// Walks through a specification of pods to the labels by which it chooses nodes.
#include "compiler/plan/rules/node_selector.h"

#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"

void node_selector_each_requirement(const Value *list, NodeSelectorUse *use, void *context) {
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Value *item = list->list.items[i];
        const Value *key = object_get(item, "key");
        if (key != NULL) {
            use(context, &(NodeSelector){ .key = object_text(key),
                                          .span = key->span,
                                          .relation = object_text(object_get(item, "operator")),
                                          .values = object_get(item, "values") });
        }
    }
}

// Of a list of terms: all of them, or what stands in each behind `name`.
static void each_term(const Value *terms, const char *name, NodeSelectorUse *use, void *context) {
    for (uint32_t i = 0; i < object_count(terms); i++) {
        const Value *term = name == NULL ? terms->list.items[i] : object_get(terms->list.items[i], name);
        node_selector_each_requirement(object_get(term, "matchExpressions"), use, context);
    }
}

void node_selector_each(const Value *pod, NodeSelectorUse *use, void *context) {
    const Value *selector = object_get(pod, "nodeSelector");
    for (uint32_t i = 0; selector != NULL && selector->kind == VALUE_MAP && i < selector->map.count; i++) {
        const ValueEntry *entry = &selector->map.entries[i];
        use(context, &(NodeSelector){
                         .key = entry->key, .span = entry->key_span, .relation = STR("In"), .values = entry->value });
    }
    const Value *affinity = object_get(object_get(pod, "affinity"), "nodeAffinity");
    each_term(pod_required_terms(pod), NULL, use, context);
    each_term(object_get(affinity, "preferredDuringSchedulingIgnoredDuringExecution"), "preference", use, context);
}
