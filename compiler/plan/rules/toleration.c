// Source: Kubernetes, Taints and Tolerations; EKS API Reference, Taint; read 2026-11.
#include "compiler/plan/rules/toleration.h"

#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"

// Words of the EKS API, as Kubernetes has them.
static const struct {
    const char *word;
    const char *effect;
} EFFECTS[] = {
    { "NO_SCHEDULE", "NoSchedule" },
    { "NO_EXECUTE", "NoExecute" },
    { "PREFER_NO_SCHEDULE", "PreferNoSchedule" },
};

static const Value *field_of(const Value *map, const char *small, const char *capital) {
    const Value *value = object_get(map, small);
    return value != NULL ? value : object_get(map, capital);
}

// No text yet, or one that holds what somebody fills in: `${TEAM}`.
static bool is_late(const Value *value) {
    const Str text = object_text(value);
    return value != NULL && (value->kind != VALUE_STRING || str_find(text, STR("$"), 0) < text.len ||
                             str_find(text, STR("{"), 0) < text.len);
}

// `taint("key", "value", no_schedule)` of infra.dt.
static Taint taint_of_tag(const Value *tag) {
    enum { TAINT_KEY, TAINT_VALUE, TAINT_EFFECT };
    const Value *value = tag->tag.arguments[TAINT_VALUE];
    return (Taint){ .key = tag->tag.arguments[TAINT_KEY],
                    .value = value,
                    .effect = object_text(tag->tag.arguments[TAINT_EFFECT]),
                    .is_late = is_late(value) };
}

Taint taint_of(const Value *map) {
    if (map->kind == VALUE_TAG) {
        return taint_of_tag(map);
    }
    Taint taint = { .key = field_of(map, "key", "Key"),
                    .value = field_of(map, "value", "Value"),
                    .effect = object_text(field_of(map, "effect", "Effect")) };
    taint.is_late = is_late(taint.value);
    for (size_t i = 0; i < COUNT_OF(EFFECTS); i++) {
        taint.effect = str_is(taint.effect, EFFECTS[i].word) ? str_of(EFFECTS[i].effect) : taint.effect;
    }
    return taint;
}

static bool keeps_off(const Taint *taint) {
    return str_is(taint->effect, "NoSchedule") || str_is(taint->effect, "NoExecute");
}

// False where nobody can tell: it may be the same.
static bool is_other(const Value *value, Str wanted) {
    return value != NULL && value->kind == VALUE_STRING && wanted.len > 0 && value->string.len > 0 &&
           !str_equal(value->string, wanted);
}

static bool has_other_value(const Value *toleration, const Taint *taint) {
    const Value *how = object_get(toleration, "operator");
    const Value *value = object_get(toleration, "value");
    const bool is_equal = how == NULL || str_is(object_text(how), "Equal");
    const bool is_known = !taint->is_late && !is_late(value);
    return is_equal && is_known && !str_equal(object_text(value), object_text(taint->value));
}

static bool is_of(const Value *toleration, const Taint *taint) {
    if (toleration->kind != VALUE_MAP) {
        return true;
    }
    return !is_other(object_get(toleration, "key"), object_text(taint->key)) &&
           !is_other(object_get(toleration, "effect"), taint->effect) && !has_other_value(toleration, taint);
}

const Value *toleration_near(const Value *pod, const Taint *taint) {
    const Value *list = object_get(pod, "tolerations");
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Value *key = object_get(list->list.items[i], "key");
        if (object_text(key).len > 0 && str_equal(key->string, object_text(taint->key))) {
            return list->list.items[i];
        }
    }
    return NULL;
}

static bool is_written(const Value *pod, const Taint *taint) {
    const Value *list = object_get(pod, "tolerations");
    bool is = list != NULL && list->kind != VALUE_LIST;
    for (uint32_t i = 0; i < object_count(list); i++) {
        is = is || is_of(list->list.items[i], taint);
    }
    return is;
}

// Of a taint with NoSchedule alone, and perhaps where nobody knows how many the pod asks for.
// source: kubernetes/kubernetes v1.33 plugin/pkg/admission/extendedresourcetoleration/admission.go, which EKS runs: EKS User
// Guide, Platform versions; aws/containers-roadmap#739; read 2026-11
static bool is_added(const Value *pod, const Taint *taint) {
    const Str key = object_text(taint->key);
    const Value *largest = NULL;
    return pod_limit(pod, key) < 0 || (str_is(taint->effect, "NoSchedule") && pod_asks(pod, key, &largest) > 0);
}

const Value *taint_of_no_toleration(const Value *taints, const Value *pod) {
    for (uint32_t i = 0; i < object_count(taints); i++) {
        const Taint taint = taint_of(taints->list.items[i]);
        if (object_text(taint.key).len > 0 && keeps_off(&taint) && !is_written(pod, &taint) && !is_added(pod, &taint)) {
            return taints->list.items[i];
        }
    }
    return NULL;
}

bool toleration_is_of_queue(const PlanObject *object) {
    const Value *labels = object_get(object_get(object->fields, "metadata"), "labels");
    return object_get(labels, "kueue.x-k8s.io/queue-name") != NULL;
}

Str taint_text(Arena *arena, const Taint *taint, const Value *near) {
    const Str key = object_text(taint->key);
    if (near == NULL) {
        return key;
    }
    const Str value = object_text(taint->value);
    return str_format(arena, "%.*s%s%.*s:%.*s", STR_ARG(key), value.len > 0 ? "=" : "", STR_ARG(value),
                      STR_ARG(taint->effect));
}
