// Rules about Services and the pods that they select, as far as both stand in one file.
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

static void add_ports(Ports *ports, const Value *pod, const char *key, Str name) {
    const Value *containers = object_get(pod, key);
    ports->has = ports->has || (containers != NULL && containers->kind != VALUE_LIST);
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Value *list = object_get(containers->list.items[i], "ports");
        ports->has =
            ports->has || containers->list.items[i]->kind != VALUE_MAP || (list != NULL && list->kind != VALUE_LIST);
        for (uint32_t k = 0; k < object_count(list); k++) {
            const Value *own = object_get(list->list.items[k], "name");
            ports->has = ports->has || list->list.items[k]->kind != VALUE_MAP ||
                         (own != NULL && (own->kind != VALUE_STRING || str_equal(own->string, name)));
            suggest_offer(&ports->names, object_text(own));
        }
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
    Diag *diag =
        plan_report(session, service->subject, target->span, DIAG(service_without_port), STR_ARG(target->string));
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

void rule_service_ports(const Rules *rules, const PlanObject *object) {
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
