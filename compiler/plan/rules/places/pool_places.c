// Holds a pod against the pool that it asks for: Karpenter starts a node of any type that meets the requirements of the pool
// and the labels of the pod.
#include "compiler/plan/rules/places/pool_places.h"

#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/model/pool_requirements.h"
#include "compiler/plan/rules/toleration.h"
#include "schema/pod_devices.h"

enum { POOLS_MAX = 200 };

static bool is_seen(const PodGroups *pools, const PlanGroup *pool) {
    bool is = false;
    for (uint32_t i = 0; i < pools->items.count; i++) {
        is = is || span_equal(pools->items.items[i]->subject->span, pool->subject->span);
    }
    return is;
}

void pool_places_add(Session *session, const Plan *plan, PodGroups *pools) {
    for (uint32_t i = 0; i < plan->raw.count; i++) {
        const PlanRaw *raw = plan->raw.items[i];
        for (uint32_t k = 0; k < raw->groups.count && pools->items.count < POOLS_MAX; k++) {
            if (group_is_pool(raw->groups.items[k]) && !is_seen(pools, raw->groups.items[k])) {
                vec_push(session->arena, &pools->items, raw->groups.items[k]);
            }
        }
    }
}

// ---- which pool ------------------------------------------------------------------------------------------------------

// Of several with one name, as variants of an example have, nobody knows which.
static const PlanGroup *pool_of_name(const PodGroups *pools, Str name) {
    const PlanGroup *found = NULL;
    for (uint32_t i = 0; name.len > 0 && i < pools->items.count; i++) {
        if (str_equal(pools->items.items[i]->name, name)) {
            if (found != NULL) {
                return NULL;
            }
            found = pools->items.items[i];
        }
    }
    return found;
}

static bool gives(const PlanGroup *pool, const ValueEntry *label) {
    const Value *own = group_label(pool, label->key);
    return object_text(own).len > 0 && str_equal(own->string, object_text(label->value));
}

// The only one that gives a label without a domain, which nobody but people make.
static const PlanGroup *pool_of_label(const PodGroups *pools, const Value *selector) {
    const PlanGroup *found = NULL;
    for (uint32_t i = 0; selector != NULL && selector->kind == VALUE_MAP && i < selector->map.count; i++) {
        const ValueEntry *entry = &selector->map.entries[i];
        const bool is_own = str_find(entry->key, STR("/"), 0) == entry->key.len;
        for (uint32_t k = 0; is_own && k < pools->items.count; k++) {
            if (gives(pools->items.items[k], entry)) {
                if (found != NULL && found != pools->items.items[k]) {
                    return NULL;
                }
                found = pools->items.items[k];
            }
        }
    }
    return found;
}

static bool is_for_taint(const PlanGroup *pool, const Value *pod) {
    bool is = false;
    for (uint32_t i = 0; i < object_count(pool->taints); i++) {
        const Taint taint = taint_of(pool->taints->list.items[i]);
        is = is || (object_text(taint.key).len > 0 && pod_device(taint.key->string) == NULL &&
                    toleration_near(pod, &taint) != NULL);
    }
    return is;
}

// A pod with devices that tolerates a taint which somebody made for this pool alone.
static const PlanGroup *pool_of_taint(const PodGroups *pools, const Value *pod) {
    const PlanGroup *found = NULL;
    const Value *largest = NULL;
    for (size_t i = 0; i < POD_DEVICE_COUNT && largest == NULL; i++) {
        pod_asks(pod, str_of(POD_DEVICES[i].name), &largest);
    }
    for (uint32_t i = 0; largest != NULL && i < pools->items.count; i++) {
        if (is_for_taint(pools->items.items[i], pod)) {
            if (found != NULL) {
                return NULL;
            }
            found = pools->items.items[i];
        }
    }
    return found;
}

const PlanGroup *pool_places_asked(const PodGroups *pools, bool is_alone, const PlanPod *pod) {
    if (pod_wants_label(pod->spec, "karpenter.sh/nodepool") != NULL) {
        return pool_of_name(pools, object_text(pod_pool(pod->spec)));
    }
    const PlanGroup *labelled = is_alone ? pool_of_label(pools, object_get(pod->spec, "nodeSelector")) : NULL;
    return labelled == NULL && is_alone ? pool_of_taint(pools, pod->spec) : labelled;
}

// ---- which types are left --------------------------------------------------------------------------------------------

static bool is_labelled(const InstanceRow *row, const Value *selector) {
    bool is = true;
    for (uint32_t i = 0; selector != NULL && selector->kind == VALUE_MAP && i < selector->map.count; i++) {
        is = is && type_may_have(row, selector->map.entries[i].key, object_text(selector->map.entries[i].value));
    }
    return is;
}

// A type that meets one of the terms is enough.
static bool meets_affinity(Session *session, const InstanceRow *row, const Value *pod) {
    const Value *terms = pod_required_terms(pod);
    bool is_met = object_count(terms) == 0;
    for (uint32_t i = 0; i < object_count(terms) && !is_met; i++) {
        is_met = type_may_meet(session, row, terms->list.items[i]);
    }
    return is_met;
}

// `pod` NULL: all types.
static void add_types(Session *session, PlanGroup *own, const PoolTypes *types, const Value *pod) {
    const Value *selector = object_get(pod, "nodeSelector");
    for (uint32_t i = 0; i < types->row_count; i++) {
        if (is_labelled(types->rows[i], selector) && meets_affinity(session, types->rows[i], pod)) {
            const Span place = pool_types_place(types, types->rows[i]);
            const PlanField field = {
                .state = FIELD_KNOWN,
                .name = "requirements",
                .text = str_of(types->rows[i]->name),
                .span = span_is_none(place) ? own->requirements->span : place,
            };
            vec_push(session->arena, &own->types, ((PlanType){ .row = types->rows[i], .field = field }));
        }
    }
}

// A pool whose types are not all known has the pod's as well. Where no type has the labels of the pod, all count: the label
// is told.
static const PlanGroup *narrowed(Session *session, const PlanGroup *pool, const Value *pod) {
    PlanGroup *own = arena_new(session->arena, PlanGroup);
    PoolTypes *types = pool_types_of(session, pool->requirements);
    *own = *pool;
    own->types = (PlanTypes){ 0 };
    own->has_other_types = !types->are_known || pool_types_narrow(types) != NULL;
    if (!own->has_other_types) {
        add_types(session, own, types, pod);
    }
    if (own->types.count == 0 && !own->has_other_types) {
        add_types(session, own, types, NULL);
    }
    return own;
}

// ----------------------------------------------------------------------------------------------------------------------

// In one file rule pool_taints speaks of taints.
static bool are_taints_told(const PlanGroup *pool, const PlanObject *object) {
    return pool->subject->span.source == object->subject->span.source || toleration_is_of_queue(object);
}

const PlanGroup *pool_places_check(Session *session, const PodGroups *pools, const PlanGroup *asked,
                                   const PlanObject *object, const PlanPod *pod) {
    PodGroups groups = { .name = asked->name,
                         .is_whole = true,
                         .are_taints_told = are_taints_told(asked, object),
                         .are_gpus_shared = pools->are_gpus_shared };
    vec_push(session->arena, &groups.items, narrowed(session, asked, pod->spec));
    return pod_places_check(session, &groups, object, pod);
}

// ---- all pools of a file -----------------------------------------------------------------------------------------------

static bool is_of_karpenter(Str key) {
    return str_starts_with(key, STR("karpenter.sh/")) || str_starts_with(key, STR("karpenter.k8s.aws/"));
}

// A type or a group that the pod names may be that of other nodes.
static bool names_others(const Value *pod) {
    static const char *const KEYS[] = { "eks.amazonaws.com/nodegroup", "alpha.eksctl.io/nodegroup-name",
                                        "karpenter.sh/nodepool" };
    bool names = pod_types(pod) != NULL;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        names = names || pod_wants_label(pod, KEYS[i]) != NULL;
    }
    return names;
}

static bool asks_karpenter(const Value *pod) {
    const Value *selector = object_get(pod, "nodeSelector");
    const Value *terms = pod_required_terms(pod);
    bool asks = false;
    for (uint32_t i = 0; selector != NULL && selector->kind == VALUE_MAP && i < selector->map.count; i++) {
        asks = asks || is_of_karpenter(selector->map.entries[i].key);
    }
    for (uint32_t i = 0; i < object_count(terms); i++) {
        const Value *expressions = object_get(terms->list.items[i], "matchExpressions");
        for (uint32_t k = 0; k < object_count(expressions); k++) {
            const Value *item = expressions->list.items[k];
            asks = asks || (str_is(object_text(object_get(item, "operator")), "In") &&
                            is_of_karpenter(object_text(object_get(item, "key"))));
        }
    }
    return asks;
}

bool pool_places_is_of_file(const PodGroups *pools, const PlanObject *object, const PlanPod *pod) {
    enum { POOLS_OF_FILE_MAX = 20 };
    bool is = pools->items.count > 0 && pools->items.count <= POOLS_OF_FILE_MAX;
    for (uint32_t i = 0; is && i < pools->items.count; i++) {
        is = pools->items.items[i]->subject->span.source == object->subject->span.source;
    }
    const Value *device = NULL;
    for (size_t i = 0; is && i < POD_DEVICE_COUNT && device == NULL; i++) {
        pod_asks(pod->spec, str_of(POD_DEVICES[i].name), &device);
    }
    return is && !pod->is_part && !names_others(pod->spec) && (device != NULL || asks_karpenter(pod->spec));
}

// "gpu`, `cpu", as a message writes it between its quotes.
static Str names_of_all(Session *session, const PodGroups *pools) {
    enum { NAMES_MAX = 3 };
    StrBuf text = { .arena = session->arena };
    for (uint32_t i = 0; i < pools->items.count && i < NAMES_MAX; i++) {
        strbuf_add_format(&text, "%s%.*s", i == 0 ? "" : "`, `", STR_ARG(pools->items.items[i]->name));
    }
    return strbuf_end(&text);
}

const PlanGroup *pool_places_check_all(Session *session, const PodGroups *pools, const PlanObject *object,
                                       const PlanPod *pod) {
    PodGroups groups = { .name = names_of_all(session, pools),
                         .is_whole = true,
                         .are_taints_told = toleration_is_of_queue(object),
                         .are_gpus_shared = pools->are_gpus_shared };
    for (uint32_t i = 0; i < pools->items.count; i++) {
        vec_push(session->arena, &groups.items, narrowed(session, pools->items.items[i], pod->spec));
    }
    return pod_places_check(session, &groups, object, pod);
}
