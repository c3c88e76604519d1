// Rules about pods that ask for the nodes of one NodePool of Karpenter: they tolerate the taints of these nodes.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/object_value.h"
#include "compiler/plan/rules/pod_type.h"

// False where nobody can tell: it may be the same.
static bool is_other(const Value *value, const Value *wanted) {
    return value != NULL && wanted != NULL && value->kind == VALUE_STRING && wanted->kind == VALUE_STRING &&
           !str_equal(value->string, wanted->string);
}

static bool tolerates(const Value *toleration, const Value *taint) {
    const Value *how = object_get(toleration, "operator");
    const Value *key = object_get(toleration, "key");
    const Value *value = object_get(taint, "value");
    const Value *tolerated = object_get(toleration, "value");
    const bool is_equal = how == NULL || str_is(object_text(how), "Equal");
    const bool is_one_empty = object_text(value).len == 0 && object_text(tolerated).len == 0;
    const bool is_late =
        (value != NULL && value->kind != VALUE_STRING) || (tolerated != NULL && tolerated->kind != VALUE_STRING);
    if (is_other(key, object_get(taint, "key")) ||
        is_other(object_get(toleration, "effect"), object_get(taint, "effect"))) {
        return false;
    }
    return !is_equal || is_late || is_one_empty || str_equal(object_text(value), object_text(tolerated));
}

// EKS tolerates what is called after a resource that the pod asks for: the admission controller ExtendedResourceToleration,
// aws/containers-roadmap#739, read 2026-11.
static bool pod_tolerates(const Value *pod, const Value *taint) {
    const Value *list = object_get(pod, "tolerations");
    const Value *largest = NULL;
    bool does = list != NULL && list->kind != VALUE_LIST;
    for (uint32_t i = 0; i < object_count(list); i++) {
        does = does || tolerates(list->list.items[i], taint);
    }
    return does || pod_asks(pod, object_text(object_get(taint, "key")), &largest) > 0;
}

static const PlanObject *find_pool(const Rules *rules, Str name) {
    for (uint32_t i = 0; name.len > 0 && i < rules->plan->objects.count; i++) {
        const PlanObject *object = rules->plan->objects.items[i];
        if (str_is(object->resource->type, "karpenter.sh/v1/NodePool") && !object->is_changed &&
            str_equal(plan_name_of_object(object), name)) {
            return object;
        }
    }
    return NULL;
}

static void check_pod(const Rules *rules, const PlanObject *object, const Value *pod) {
    static const char KEY[] = "karpenter.sh/nodepool";
    const Value *asked = object_get(object_get(pod, "nodeSelector"), KEY);
    const PlanObject *pool = find_pool(rules, object_text(asked));
    const Value *template = pool == NULL ? NULL : object_get(object_get(pool->fields, "spec"), "template");
    const Value *taints = object_get(object_get(template, "spec"), "taints");
    for (uint32_t i = 0; i < object_count(taints); i++) {
        const Value *taint = taints->list.items[i];
        const Value *key = object_get(taint, "key");
        const Str effect = object_text(object_get(taint, "effect"));
        const bool keeps_off = str_is(effect, "NoSchedule") || str_is(effect, "NoExecute");
        if (object_text(key).len == 0 || !keeps_off || pod_tolerates(pod, taint)) {
            continue;
        }
        Diag *diag = plan_report(rules->session, object->subject, asked->span, DIAG(pool_taint), STR_ARG(key->string),
                                 STR_ARG(object_text(asked)));
        diag_label(rules->session, diag, key->span, "the taint");
        diag_help(rules->session, diag,
                  object->is_manifest ? "add `{key: %.*s, operator: Exists}` to the `tolerations`"
                                      : "add `{ key = \"%.*s\", operator = \"Exists\" }` to the `tolerations`",
                  STR_ARG(key->string));
        return;
    }
}

// Kueue adds the tolerations of its flavors, and a daemon has some from its controller.
void rule_pool_taints(const Rules *rules, const PlanObject *object) {
    const Value *labels = object_get(object_get(object->fields, "metadata"), "labels");
    const bool is_daemon = str_is(object->resource->type, "apps/v1/DaemonSet");
    const bool is_open = object->is_changed || is_daemon || object_get(labels, "kueue.x-k8s.io/queue-name") != NULL;
    for (uint32_t i = 0; !is_open && i < object->pods.count; i++) {
        check_pod(rules, object, object->pods.items[i].spec);
    }
}
