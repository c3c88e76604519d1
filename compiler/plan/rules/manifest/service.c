// Rules about Services and the pods that they select, as far as both stand in one file, and about ports by their names.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_selection.h"

enum { COMPARED_MAX = 500 };

// The ports of the pods that a Service selects.
typedef struct {
    Suggestion names;
    const Value *first; // of these pods: the containers
    bool has;           // the port, or nobody knows
} Ports;

static void add_ports_of(Ports *ports, const Value *container, Str name) {
    const Value *list = object_get(container, "ports");
    ports->has = ports->has || container->kind != VALUE_MAP || (list != NULL && list->kind != VALUE_LIST);
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Value *own = object_get(list->list.items[i], "name");
        ports->has = ports->has || list->list.items[i]->kind != VALUE_MAP ||
                     (own != NULL && (own->kind != VALUE_STRING || str_equal(own->string, name)));
        suggest_offer(&ports->names, object_text(own));
    }
}

static void add_ports(Ports *ports, const Value *pod, const char *key, Str name) {
    const Value *containers = object_get(pod, key);
    ports->has = ports->has || (containers != NULL && containers->kind != VALUE_LIST);
    for (uint32_t i = 0; i < object_count(containers); i++) {
        add_ports_of(ports, containers->list.items[i], name);
    }
}

static void add_pods(Str place, const PlanObject *object, const Value *selector, Str name, Ports *ports) {
    const bool is_same_place = object->pods.count > 0 && str_equal(place, plan_namespace_of_object(object));
    for (uint32_t i = 0; is_same_place && i < object->pods.count; i++) {
        const Value *pod = object->pods.items[i].spec;
        const Value *metadata = object_get(object->pods.items[i].around, "metadata");
        if (pod_selection(object, selector, object_get(metadata, "labels")) != SELECTS) {
            continue;
        }
        ports->has = ports->has || object->is_changed || !plan_object_is(object, KEEPS_WORDS);
        ports->first = ports->first == NULL ? object_get(pod, "containers") : ports->first;
        add_ports(ports, pod, "containers", name);
        add_ports(ports, pod, "initContainers", name);
    }
}

static void check_port(const Rules *rules, const PlanObject *service, const Value *selector, const Value *target) {
    Session *session = rules->session;
    Ports ports = { .names = suggest_for(session, target->string) };
    const Str place = plan_namespace_of_object(service);
    for (uint32_t i = 0; place.len > 0 && i < rules->plan->objects.count && i < COMPARED_MAX; i++) {
        add_pods(place, rules->plan->objects.items[i], selector, target->string, &ports);
    }
    if (ports.has || ports.first == NULL) {
        return;
    }
    Diag *diag = plan_report(session, service->subject, target->span, DIAG(service_without_port), "these pods",
                             STR_ARG(target->string));
    diag_label(session, diag, ports.first->span, "of these pods");
    if (!suggest_say(session, diag, &ports.names, target->span)) {
        diag_help(session, diag, "write the number, or give this `name` to a port of the container");
    }
}

static bool is_name(Str text) {
    bool has_letter = false;
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        if (!(c >= 'a' && c <= 'z') && !char_is_digit(c) && c != '-') {
            return false;
        }
        has_letter = has_letter || (c >= 'a' && c <= 'z');
    }
    return has_letter;
}

// A probe or a hook asks a port of its own container: the kubelet says that it does not find the port, and starts the container
// anew.
// source: kubernetes/kubernetes pkg/probe/util.go, ResolveContainerPort; pkg/kubelet/lifecycle/handlers.go, resolvePort, 2026-11,
// read 2026-11
static void check_own_port(const Rules *rules, const PlanObject *object, const Value *container, const Value *port) {
    Session *session = rules->session;
    Ports ports = { .names = suggest_for(session, port->string) };
    add_ports_of(&ports, container, port->string);
    if (!ports.has) {
        Diag *diag = plan_report(session, object->subject, port->span, DIAG(service_without_port), "this container",
                                 STR_ARG(port->string));
        if (!suggest_say(session, diag, &ports.names, port->span)) {
            diag_help(session, diag, "write the number, or give this `name` to a port of the container");
        }
    }
}

static void check_asker(const Rules *rules, const PlanObject *object, const Value *container, const Value *asker) {
    static const char *const KINDS[] = { "httpGet", "tcpSocket" };
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        const Value *port = object_get(object_get(asker, KINDS[i]), "port");
        if (is_name(object_text(port))) {
            check_own_port(rules, object, container, port);
        }
    }
}

static void check_container(const Rules *rules, const PlanObject *object, const Value *container) {
    static const char *const PROBES[] = { "livenessProbe", "readinessProbe", "startupProbe" };
    static const char *const HOOKS[] = { "postStart", "preStop" };
    for (size_t i = 0; i < COUNT_OF(PROBES); i++) {
        check_asker(rules, object, container, object_get(container, PROBES[i]));
    }
    for (size_t i = 0; i < COUNT_OF(HOOKS); i++) {
        check_asker(rules, object, container, object_get(object_get(container, "lifecycle"), HOOKS[i]));
    }
}

static void check_askers(const Rules *rules, const PlanObject *object) {
    static const char *const KEYS[] = { "containers", "initContainers" };
    for (uint32_t i = 0; plan_object_is(object, KEEPS_WORDS) && !object->is_changed && i < object->pods.count; i++) {
        const PlanPod *pod = &object->pods.items[i];
        for (size_t k = 0; k < COUNT_OF(KEYS) && !pod->is_part; k++) {
            const Value *containers = object_get(pod->spec, KEYS[k]);
            for (uint32_t c = 0; c < object_count(containers); c++) {
                check_container(rules, object, containers->list.items[c]);
            }
        }
    }
}

void rule_service_ports(const Rules *rules, const PlanObject *object) {
    check_askers(rules, object);
    const Value *spec = object_get(object->fields, "spec");
    const Value *selector = object_get(spec, "selector");
    const Value *list = object_get(spec, "ports");
    if (object->is_changed || selector == NULL || selector->kind != VALUE_MAP ||
        !str_is(object->resource->type, "v1/Service")) {
        return;
    }
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Value *target = object_get(list->list.items[i], "targetPort");
        if (is_name(object_text(target))) {
            check_port(rules, object, selector, target);
        }
    }
}

// ---- what finds no pods ----------------------------------------------------------------------------------------------

// One label that keeps a selector from the pods of an object.
typedef struct {
    const Value *asked; // the value in the selector; NULL: there is no such label, or more than one
    const Value *there; // that of the pods
    Span key;           // of the selector, where its key is the one that differs
    Str key_there;      // empty: the keys are the same
} OneLabel;

static bool is_plain_label(const Value *value) {
    const Str text = object_text(value);
    return text.len > 0 && !str_has(text, "$") && !str_has(text, "{") && !str_has(text, "<");
}

// The label of the pods that has the value of an entry and nearly its key.
static const ValueEntry *near_key(const Rules *rules, const ValueEntry *entry, const Value *labels) {
    Suggestion near = suggest_for(rules->session, entry->key);
    const ValueEntry *found = NULL;
    for (uint32_t i = 0; i < labels->map.count; i++) {
        const ValueEntry *label = &labels->map.entries[i];
        if (str_equal(object_text(label->value), entry->value->string)) {
            suggest_offer(&near, label->key);
            found = str_equal(near.best, label->key) ? label : found;
        }
    }
    return found;
}

static OneLabel one_label(const Rules *rules, const Value *selector, const Value *labels, bool is_named) {
    OneLabel one = { .asked = NULL, .key = SPAN_NONE };
    uint32_t count = 0;
    for (uint32_t i = 0; i < selector->map.count && count < 2; i++) {
        const ValueEntry *entry = &selector->map.entries[i];
        const Value *label = value_find(labels, entry->key);
        if (!is_plain_label(entry->value) || (label != NULL && !is_plain_label(label))) {
            return (OneLabel){ .asked = NULL };
        }
        if (label != NULL && str_equal(label->string, entry->value->string)) {
            continue;
        }
        count++;
        Suggestion near = suggest_for(rules->session, entry->value->string);
        suggest_offer(&near, object_text(label));
        const ValueEntry *other = label == NULL ? near_key(rules, entry, labels) : NULL;
        const bool is_meant = label != NULL && (near.best.len > 0 || is_named);
        one = (OneLabel){ .asked = is_meant || other != NULL ? entry->value : NULL,
                          .there = other != NULL ? other->value : label,
                          .key = entry->key_span,
                          .key_there = other != NULL ? other->key : STR_NONE };
    }
    return count == 1 ? one : (OneLabel){ .asked = NULL };
}

static void say_label(const Rules *rules, const PlanObject *object, const OneLabel *one) {
    Session *session = rules->session;
    const bool is_key = one->key_there.len > 0;
    Diag *diag = plan_report(session, object->subject, is_key ? one->key : one->asked->span, DIAG(selects_none),
                             STR_ARG(str_after_last(object->resource->type, '/')),
                             is_key ? "their label has another name" : "their label has another value");
    diag_label(session, diag, one->there->span, "the pods");
    diag_help(session, diag, "write `%.*s`", STR_ARG(is_key ? one->key_there : one->there->string));
}

// A headless Service that is the subdomain of pods is rule pod_names's.
static bool is_subdomain(const Rules *rules, const PlanObject *service) {
    bool is_one = false;
    for (uint32_t i = 0; i < rules->plan->objects.count && i < COMPARED_MAX && !is_one; i++) {
        const PlanObject *object = rules->plan->objects.items[i];
        for (uint32_t k = 0; k < object->pods.count && !is_one; k++) {
            const Value *domain = object_get(object->pods.items[k].spec, "subdomain");
            is_one = str_equal(object_text(domain), plan_name_of_object(service)) ||
                     str_equal(object_text(object_get(object_get(object->fields, "spec"), "serviceName")),
                               plan_name_of_object(service));
        }
    }
    return is_one;
}

// Objects of operators that make no pods.
static bool makes_none(Str type) {
    static const char *const STARTS[] = { "keda.sh/",
                                          "monitoring.coreos.com/v1/ServiceMonitor",
                                          "monitoring.coreos.com/v1/PodMonitor",
                                          "monitoring.coreos.com/v1/PrometheusRule",
                                          "external-secrets.io/",
                                          "cert-manager.io/" };
    return str_starts_with_any(type, STARTS, COUNT_OF(STARTS));
}

static void check_selector(const Rules *rules, const PlanObject *object, const Value *selector) {
    const Str place = plan_namespace_of_object(object);
    OneLabel one = { .asked = NULL };
    for (uint32_t i = 0; place.len > 0 && i < rules->plan->objects.count; i++) {
        const PlanObject *other = rules->plan->objects.items[i];
        const bool is_compared =
            i < COMPARED_MAX && (other->kind != NULL || other->row != NULL || makes_none(other->resource->type));
        if (!is_compared) {
            return; // of what it makes nobody knows the labels
        }
        for (uint32_t k = 0; k < other->pods.count && str_equal(place, plan_namespace_of_object(other)); k++) {
            const Value *labels = object_get(object_get(other->pods.items[k].around, "metadata"), "labels");
            if (pod_selection(other, selector, labels) != SELECTS_NOT || other->is_changed) {
                return;
            }
            const bool is_named = str_equal(plan_name_of_object(other), plan_name_of_object(object));
            if (one.asked == NULL && labels != NULL) {
                one = one_label(rules, selector, labels, is_named);
            }
        }
    }
    if (one.asked != NULL) {
        say_label(rules, object, &one);
    }
}

// ---- what an autoscaler finds ----------------------------------------------------------------------------------------

// `usual`: the kind where none is written; NULL: there has to be one.
static void check_target(const Rules *rules, const PlanObject *object, const Value *target, const char *usual) {
    Session *session = rules->session;
    const Value *kind = object_get(target, "kind");
    const Value *name = object_get(target, "name");
    const Str wanted = kind == NULL && usual != NULL ? str_of(usual) : object_text(kind);
    if ((kind != NULL && !is_plain_label(kind)) || wanted.len == 0 || !is_plain_label(name)) {
        return;
    }
    Suggestion near = suggest_for(session, name->string);
    const PlanObject *of_name = NULL; // of another kind
    for (uint32_t i = 0; i < rules->plan->objects.count && i < COMPARED_MAX; i++) {
        const PlanObject *other = rules->plan->objects.items[i];
        const bool is_kind = str_equal(str_after_last(other->resource->type, '/'), wanted);
        const bool is_name = str_equal(plan_name_of_object(other), name->string);
        if (is_kind && is_name) {
            return;
        }
        of_name = is_name && other->pods.count > 0 ? other : of_name;
        if (is_kind) {
            suggest_offer(&near, plan_name_of_object(other));
        }
    }
    const Str type = str_after_last(object->resource->type, '/');
    if (of_name != NULL) {
        Diag *diag = plan_report(session, object->subject, kind == NULL ? name->span : kind->span, DIAG(selects_none),
                                 STR_ARG(type), "its target is of another kind");
        diag_help(session, diag, kind == NULL ? "write the kind `%.*s` beside its name" : "write `%.*s`",
                  STR_ARG(str_after_last(of_name->resource->type, '/')));
    } else if (near.best.len > 0) {
        Diag *diag = plan_report(session, object->subject, name->span, DIAG(selects_none), STR_ARG(type),
                                 "its target has another name");
        suggest_say(session, diag, &near, name->span);
    }
}

// Objects that find pods by `matchLabels`.
static const struct {
    const char *start; // of the type
    const char *kind;
    const char *key; // of `spec`
} SELECTORS[] = {
    { "policy/", "PodDisruptionBudget", "selector" },
    { "networking.k8s.io/", "NetworkPolicy", "podSelector" },
    { "monitoring.coreos.com/", "PodMonitor", "selector" },
};

// The labels that all pods have to have; NULL: there are none, or others count as well.
static const Value *selector_of(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Str type = object->resource->type;
    const Value *labels = NULL;
    if (str_is(type, "v1/Service") && !is_subdomain(rules, object)) {
        labels = object_get(spec, "selector");
    }
    for (size_t i = 0; i < COUNT_OF(SELECTORS); i++) {
        const Value *selector = object_get(spec, SELECTORS[i].key);
        if (str_starts_with(type, str_of(SELECTORS[i].start)) &&
            str_is_word(str_after_last(type, '/'), SELECTORS[i].kind) &&
            object_get(selector, "matchExpressions") == NULL && object_get(spec, "namespaceSelector") == NULL) {
            labels = object_get(selector, "matchLabels");
        }
    }
    return labels != NULL && labels->kind == VALUE_MAP && labels->map.count > 0 ? labels : NULL;
}

void rule_selected_pods(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Str type = object->resource->type;
    const Value *labels = object->is_changed ? NULL : selector_of(rules, object);
    if (object->is_changed) {
        return;
    }
    if (labels != NULL) {
        check_selector(rules, object, labels);
    } else if (str_starts_with(type, STR("autoscaling/")) && str_ends_with(type, STR("/HorizontalPodAutoscaler"))) {
        check_target(rules, object, object_get(spec, "scaleTargetRef"), NULL);
    } else if (str_starts_with(type, STR("keda.sh/")) && str_ends_with(type, STR("/ScaledObject"))) {
        check_target(rules, object, object_get(spec, "scaleTargetRef"), "Deployment");
    }
}
