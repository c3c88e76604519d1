// Rules about pods that ask for the nodes of one NodePool of Karpenter: they tolerate the taints of these nodes.
#include "compiler/plan/rules/rules.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/rules/toleration.h"

static const PlanObject *find_pool(const PlanObjects *objects, Str name) {
    for (uint32_t i = 0; name.len > 0 && i < objects->count; i++) {
        const PlanObject *object = objects->items[i];
        if (str_is(object->resource->type, "karpenter.sh/v1/NodePool") && !object->is_changed &&
            str_equal(plan_name_of_object(object), name)) {
            return object;
        }
    }
    return NULL;
}

// Where one toleration alone has a key that is surely this one.
static void fix_key(const Rules *rules, Diag *diag, const Value *tolerations, Str key) {
    const Value *meant = NULL;
    for (uint32_t i = 0; i < object_count(tolerations); i++) {
        const Value *other = object_get(tolerations->list.items[i], "key");
        Suggestion suggestion = suggest_for(rules->session, object_text(other));
        suggest_offer(&suggestion, key);
        if (suggest_is_sure(&suggestion)) {
            if (meant != NULL) {
                return;
            }
            meant = other;
        }
    }
    if (meant != NULL) {
        rule_replace(rules, diag, meant->span, meant->string, key);
    }
}

static void check_pod(const Rules *rules, const PlanObject *object, const Value *pod) {
    const Value *asked = pod_pool(pod);
    const PlanObject *pool = find_pool(object->beside, object_text(asked));
    const Value *template = pool == NULL ? NULL : object_get(object_get(pool->fields, "spec"), "template");
    const Value *taints = object_get(object_get(template, "spec"), "taints");
    const Value *taint = taint_of_no_toleration(taints, pod);
    if (taint == NULL) {
        return;
    }
    const Value *key = taint_of(taint).key;
    Diag *diag = plan_report(rules->session, object->subject, asked->span, DIAG(pool_taint), STR_ARG(key->string),
                             STR_ARG(object_text(asked)));
    diag_label(rules->session, diag, key->span, "the taint");
    diag_help(rules->session, diag,
              object->is_manifest ? "add `{key: %.*s, operator: Exists}` to the `tolerations`"
                                  : "add `{ key = \"%.*s\", operator = \"Exists\" }` to the `tolerations`",
              STR_ARG(key->string));
    fix_key(rules, diag, object_get(pod, "tolerations"), key->string);
}

// A daemon has some tolerations from its controller.
void rule_pool_taints(const Rules *rules, const PlanObject *object) {
    const bool is_daemon = plan_object_is(object, IS_DAEMON);
    const bool is_open =
        object->is_changed || is_daemon || plan_object_is(object, LIES_OVER) || toleration_is_of_queue(object);
    for (uint32_t i = 0; !is_open && i < object->pods.count; i++) {
        check_pod(rules, object, object->pods.items[i].spec);
    }
}
