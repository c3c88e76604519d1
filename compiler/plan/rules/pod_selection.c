// Holds the selector of a Service against the labels of pods, those included that a controller gives them.
#include "compiler/plan/rules/pod_selection.h"

#include "compiler/plan/model/object_value.h"

// Controllers give pods labels of their own, with a domain before them but for two.
static bool is_of_controller(Str key) {
    return str_find(key, STR("/"), 0) < key.len || str_is(key, "job-name") || str_is(key, "controller-uid");
}

// Whether a controller gives the pods of an object its name as this label.
static bool is_name_as_label(const PlanObject *object, Str key) {
    return object->kind != NULL && workload_has(object->kind->labels, key) && plan_name_of_object(object).len > 0;
}

Selection pod_selection(const PlanObject *object, const Value *selector, const Value *labels) {
    Selection answer = SELECTS;
    const bool is_known = labels == NULL || labels->kind == VALUE_MAP;
    if (selector == NULL || selector->kind != VALUE_MAP || selector->map.count == 0 || !is_known) {
        return SELECTS_PERHAPS;
    }
    for (uint32_t i = 0; i < selector->map.count; i++) {
        const ValueEntry *entry = &selector->map.entries[i];
        const Value *label = labels == NULL ? NULL : value_find(labels, entry->key);
        if (label == NULL && is_name_as_label(object, entry->key) && entry->value->kind == VALUE_STRING) {
            if (!str_equal(entry->value->string, plan_name_of_object(object))) {
                return SELECTS_NOT;
            }
            continue;
        }
        if (label == NULL && !is_of_controller(entry->key)) {
            return SELECTS_NOT;
        }
        if (label != NULL && label->kind == VALUE_STRING && entry->value->kind == VALUE_STRING) {
            if (!str_equal(label->string, entry->value->string)) {
                return SELECTS_NOT;
            }
        } else {
            answer = SELECTS_PERHAPS;
        }
    }
    return answer;
}
