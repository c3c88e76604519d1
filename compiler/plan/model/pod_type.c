// Reads what decides about the node of a pod. An affinity of several terms is one of several nodes, and is left out.
#include "compiler/plan/model/pod_type.h"

#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/object_value.h"
#include "schema/instances.h"
#include "schema/pod_devices.h"

const Value *pod_required_terms(const Value *pod) {
    const Value *affinity = object_get(object_get(pod, "affinity"), "nodeAffinity");
    return object_get(object_get(affinity, "requiredDuringSchedulingIgnoredDuringExecution"), "nodeSelectorTerms");
}

const Value *pod_wants_label(const Value *pod, const char *key) {
    const Value *labels = object_get(pod, "nodeSelector");
    const Value *terms = pod_required_terms(pod);
    const Value *rules = object_count(terms) == 1 ? object_get(terms->list.items[0], "matchExpressions") : NULL;
    const Value *found = object_get(labels, key);
    for (uint32_t i = 0; found == NULL && i < object_count(rules); i++) {
        const Value *rule = rules->list.items[i];
        const bool is_asked = str_is(object_text(object_get(rule, "key")), key) &&
                              str_is(object_text(object_get(rule, "operator")), "In");
        found = is_asked ? object_get(rule, "values") : NULL;
    }
    return found;
}

const Value *pod_types(const Value *pod) {
    const Value *types = pod_wants_label(pod, "node.kubernetes.io/instance-type");
    return types != NULL ? types : pod_wants_label(pod, "beta.kubernetes.io/instance-type");
}

// The only value of what may be a list of several.
static const Value *only_of(const Value *values) {
    if (values == NULL || values->kind != VALUE_LIST) {
        return values;
    }
    return values->list.count == 1 ? values->list.items[0] : NULL;
}

const Value *pod_pool(const Value *pod) {
    return only_of(pod_wants_label(pod, "karpenter.sh/nodepool"));
}

const Value *pod_type(const Value *pod) {
    return only_of(pod_types(pod));
}

const InstanceRow *pod_row(Session *session, Str type) {
    const Str head = STR("ml.");
    return schema_instance(session, str_starts_with(type, head) ? str_slice(type, head.len, type.len) : type);
}

// What stands behind a resource in the `requests` or the `limits` of a container; NULL: nothing.
static const Value *amount_in(const Value *container, const char *key, Str name) {
    const Value *map = object_get(object_get(container, "resources"), key);
    const Value *found = map != NULL && map->kind == VALUE_MAP ? value_find(map, name) : NULL;
    return found != NULL && found->kind != VALUE_NULL ? found : NULL;
}

// What a container asks for: a limit without a request is one.
static const Value *asked_by(const Value *container, Str name) {
    const Value *requested = amount_in(container, "requests", name);
    return requested != NULL ? requested : amount_in(container, "limits", name);
}

double pod_asks(const Value *pod, Str name, const Value **largest) {
    double sum = 0;
    double most = 0;
    double amount;
    const Value *containers = object_get(pod, "containers");
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Value *asked = asked_by(containers->list.items[i], name);
        if (asked != NULL && quantity_read(asked, &amount) && amount > 0) {
            sum += amount;
            *largest = amount > most ? asked : *largest;
            most = amount > most ? amount : most;
        }
    }
    const Value *before = object_get(pod, "initContainers");
    for (uint32_t i = 0; i < object_count(before); i++) {
        const Value *asked = asked_by(before->list.items[i], name);
        if (asked != NULL && quantity_read(asked, &amount) && amount > sum) {
            sum = amount;
            *largest = asked;
        }
    }
    return sum;
}

int64_t pod_limit(const Value *pod, Str name) {
    const Value *containers = object_get(pod, "containers");
    double sum = 0;
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Value *limit = amount_in(containers->list.items[i], "limits", name);
        double amount = 0;
        if (limit != NULL && !quantity_read(limit, &amount)) {
            return -1;
        }
        sum += amount;
    }
    return sum >= 0 && sum < 1e6 ? (int64_t)sum : -1;
}

bool pod_is_device(Str name) {
    return str_find(name, STR("/"), 0) < name.len && str_find(name, STR("kubernetes.io/"), 0) == name.len;
}

Str node_amount_text(Arena *arena, const char *name, double amount) {
    const bool is_memory = str_is(str_of(name), "memory") || str_is(str_of(name), "ephemeral-storage");
    if (str_starts_with(str_of(name), STR("hugepages-"))) {
        return str_format(arena, "%.0fMi", amount / 0x1p20);
    }
    return str_format(arena, is_memory ? "%.10gGi" : "%.10g", is_memory ? amount / 0x1p30 : amount);
}

Str node_most_text(Arena *arena, const char *name, double has, double amount) {
    const Str text = node_amount_text(arena, name, has);
    return amount > has ? text : str_format(arena, "%.*s less what the kubelet keeps", STR_ARG(text));
}
