// Rules about selectors of pods beside the pods that carry them: a copied one finds the pods of the job that it came from.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_selection.h"

enum { COMPARED_MAX = 100 };

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const Value *labels; // of the pods that carry the selector; NULL: none
} SpreadCheck;

static const Value *labels_of(const PlanPod *pod) {
    return object_get(object_get(pod->around, "metadata"), "labels");
}

// Whether it may find any pods of an object. Of very many nobody says.
static bool finds(const PlanObject *object, const Value *selector) {
    bool may = object->pods.count > COMPARED_MAX;
    for (uint32_t i = 0; i < object->pods.count && !may; i++) {
        may = pod_selection(object, selector, labels_of(&object->pods.items[i])) != SELECTS_NOT;
    }
    return may;
}

static void report_spread(const SpreadCheck *check, Span span, const char *why) {
    Session *session = check->rules->session;
    Diag *diag = plan_report(session, check->object->subject, span, DIAG(spread_of_others), why);
    if (check->labels != NULL) {
        diag_label(session, diag, check->labels->span, "the labels of these");
    }
    diag_help(session, diag, "write a `labelSelector` with a label that these pods have");
}

// The first label of a selector that the pods do not have.
static Span first_other(const SpreadCheck *check, const Value *labels) {
    const bool has_labels = check->labels != NULL && check->labels->kind == VALUE_MAP;
    for (uint32_t i = 0; labels->kind == VALUE_MAP && i < labels->map.count; i++) {
        const ValueEntry *entry = &labels->map.entries[i];
        const Value *own = has_labels ? value_find(check->labels, entry->key) : NULL;
        if (own == NULL || !str_equal(object_text(own), object_text(entry->value))) {
            return entry->value->span;
        }
    }
    return labels->span;
}

// Keys that are taken from the pod itself make the selector narrower.
static void check_spread(const SpreadCheck *check, const Value *constraint) {
    const Value *selector = object_get(constraint, "labelSelector");
    const Value *labels = object_get(selector, "matchLabels");
    if (constraint->kind == VALUE_MAP && object_get(constraint, "topologyKey") != NULL && selector == NULL) {
        report_spread(check, object_get(constraint, "topologyKey")->span, "it has no `labelSelector`");
    } else if (labels != NULL && object_get(selector, "matchExpressions") == NULL && !finds(check->object, labels)) {
        report_spread(check, first_other(check, labels), "they do not have this label");
    }
}

// ---- affinity ------------------------------------------------------------------------------------------------------

// `pretrain` and `pre-train`.
static bool is_same_word(Str a, Str b) {
    size_t i = 0;
    size_t k = 0;
    while (i < a.len || k < b.len) {
        if (i < a.len && a.data[i] == '-') {
            i++;
        } else if (k < b.len && b.data[k] == '-') {
            k++;
        } else if (str_at(a, i++) != str_at(b, k++)) {
            return false;
        }
    }
    return a.len > 0;
}

// The value of a selector that a label of the pods nearly has; NULL: none.
static const Value *near_label(const SpreadCheck *check, const Value *selector) {
    for (uint32_t i = 0; selector->kind == VALUE_MAP && i < selector->map.count; i++) {
        const ValueEntry *entry = &selector->map.entries[i];
        const Value *own =
            check->labels == NULL || check->labels->kind != VALUE_MAP ? NULL : value_find(check->labels, entry->key);
        Suggestion suggestion = suggest_for(check->rules->session, object_text(entry->value));
        suggest_offer(&suggestion, object_text(own));
        const Str text = object_text(entry->value);
        if (!str_equal(object_text(own), text) &&
            (suggest_is_sure(&suggestion) || is_same_word(object_text(own), text))) {
            return entry->value;
        }
    }
    return NULL;
}

static void check_term(const SpreadCheck *check, const Value *term) {
    const Value *selector = object_get(term, "labelSelector");
    const Value *labels = object_get(selector, "matchLabels");
    const bool is_own = object_get(term, "namespaces") == NULL && object_get(term, "namespaceSelector") == NULL;
    const Value *near = labels == NULL || !is_own || finds(check->object, labels) ? NULL : near_label(check, labels);
    const PlanObject **objects = check->rules->plan->objects.items;
    const uint32_t count = check->rules->plan->objects.count;
    bool is_of_others = near == NULL || count > COMPARED_MAX;
    for (uint32_t i = 0; i < count && !is_of_others; i++) {
        is_of_others = finds(objects[i], labels);
    }
    if (!is_of_others) {
        report_spread(check, near->span, "their label is nearly this one");
    }
}

static void check_affinity(const SpreadCheck *check, const Value *affinity) {
    static const char *const KEYS[] = { "podAffinity", "podAntiAffinity" };
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        const Value *rule = object_get(affinity, KEYS[i]);
        const Value *required = object_get(rule, "requiredDuringSchedulingIgnoredDuringExecution");
        const Value *preferred = object_get(rule, "preferredDuringSchedulingIgnoredDuringExecution");
        for (uint32_t k = 0; k < object_count(required); k++) {
            check_term(check, required->list.items[k]);
        }
        for (uint32_t k = 0; k < object_count(preferred); k++) {
            check_term(check, object_get(preferred->list.items[k], "podAffinityTerm"));
        }
    }
}

void rule_pod_spread(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; !object->is_changed && !plan_object_is(object, LIES_OVER) && i < object->pods.count; i++) {
        const Value *pod = object->pods.items[i].spec;
        const SpreadCheck check = { .rules = rules, .object = object, .labels = labels_of(&object->pods.items[i]) };
        const Value *spread = object_get(pod, "topologySpreadConstraints");
        for (uint32_t k = 0; k < object_count(spread); k++) {
            check_spread(&check, spread->list.items[k]);
        }
        check_affinity(&check, object_get(pod, "affinity"));
    }
}
