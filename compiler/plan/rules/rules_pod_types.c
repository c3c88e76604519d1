// Rules about the instance types that pods name. A pod that asks for a type which there is not waits for ever. Of a declared
// cluster rule places_of_pods says it, which knows all of its nodes.
#include "compiler/plan/rules/type_name.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/object_value.h"
#include "schema/instances.h"

// Whether a scheduler has another type to choose.
static bool has_known(const Rules *rules, const Value *types) {
    for (uint32_t i = 0; i < object_count(types); i++) {
        const Value *type = types->list.items[i];
        if (type->kind != VALUE_STRING || schema_instance(rules->session, type->string) != NULL) {
            return true;
        }
    }
    return false;
}

// `types` is the list in which it stands; NULL: it stands alone.
static void check_type(const Rules *rules, const PlanObject *object, const Value *name, const Value *types) {
    Session *session = rules->session;
    const Str text = object_text(name);
    const Str family = str_slice(text, 0, str_find(text, STR("."), 0) + 1);
    if (text.len == 0 || family.len == text.len || schema_instance(session, text) != NULL) {
        return;
    }
    Suggestion suggestion = suggest_for(session, text);
    bool is_of_family = false;
    for (int i = 0; i < schema_instance_count(session); i++) {
        const Str other = str_of(schema_instance_at(session, i)->name);
        if (str_starts_with(other, family)) {
            is_of_family = true;
            suggest_offer(&suggestion, other);
        }
    }
    if (is_of_family) {
        Diag *diag =
            has_known(rules, types)
                ? plan_report(session, object->subject, name->span, DIAG(type_in_list), STR_ARG(text))
                : plan_report(session, object->subject, name->span, DIAG(unknown_instance_type), STR_ARG(text));
        suggest_say(session, diag, &suggestion, name->span);
        diag_note(session, diag, "`dtc instances %.*s` lists the types of the family", STR_ARG(family));
    }
}

void rules_type_names(const Rules *rules, const PlanObject *object, const Value *types) {
    for (uint32_t i = 0; i < object_count(types); i++) {
        check_type(rules, object, types->list.items[i], types);
    }
}

static bool is_type_label(Str key) {
    return str_is(key, "node.kubernetes.io/instance-type") || str_is(key, "beta.kubernetes.io/instance-type");
}

static void check_selector(const Rules *rules, const PlanObject *object, const Value *labels) {
    for (uint32_t i = 0; labels != NULL && labels->kind == VALUE_MAP && i < labels->map.count; i++) {
        if (is_type_label(labels->map.entries[i].key)) {
            check_type(rules, object, labels->map.entries[i].value, NULL);
        }
    }
}

static void check_term(const Rules *rules, const PlanObject *object, const Value *term) {
    const Value *list = object_get(term, "matchExpressions");
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Value *item = list->list.items[i];
        const Value *values = object_get(item, "values");
        const bool is_asked = is_type_label(object_text(object_get(item, "key"))) &&
                              str_is(object_text(object_get(item, "operator")), "In");
        rules_type_names(rules, object, is_asked ? values : NULL);
    }
}

void rule_pod_types(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; object->is_manifest && !object->is_changed && i < object->pods.count; i++) {
        const Value *pod = object->pods.items[i].spec;
        const Value *affinity = object_get(object_get(pod, "affinity"), "nodeAffinity");
        const Value *required = object_get(affinity, "requiredDuringSchedulingIgnoredDuringExecution");
        const Value *preferred = object_get(affinity, "preferredDuringSchedulingIgnoredDuringExecution");
        const Value *terms = object_get(required, "nodeSelectorTerms");
        check_selector(rules, object, object_get(pod, "nodeSelector"));
        for (uint32_t k = 0; k < object_count(terms); k++) {
            check_term(rules, object, terms->list.items[k]);
        }
        for (uint32_t k = 0; k < object_count(preferred); k++) {
            check_term(rules, object, object_get(preferred->list.items[k], "preference"));
        }
    }
}
