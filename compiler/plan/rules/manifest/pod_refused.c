// Rules about what a pod has once: names of its containers, volumes and ports, places of mounts, and ports of its node. The
// API server refuses the pod; what makes it is taken, and no pod comes.
// source: kubernetes/kubernetes pkg/apis/core/validation/validation.go, validateContainers, ValidateVolumes,
// ValidateVolumeMounts, ValidateVolumeDevices, validateContainerPorts and checkHostPortConflicts; pkg/apis/core/v1/defaults.go,
// defaultHostNetworkPorts; read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/base/str_map.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const Value *pod;
} PodOnce;

static void say(const PodOnce *check, const Value *second, const Value *first, const char *what, const char *help) {
    Session *session = check->rules->session;
    const Str text =
        second->kind == VALUE_INT ? str_format(session->arena, "%" PRId64, second->integer) : object_text(second);
    const char *why = str_c(session->arena, str_format(session->arena, "%s `%.*s`", what, STR_ARG(text)));
    Diag *diag = plan_report(session, check->object->subject, second->span, DIAG(object_refused),
                             STR_ARG(str_after_last(check->object->resource->type, '/')), why);
    diag_label(session, diag, first->span, "the first");
    diag_help(session, diag, "%s", help);
}

// The value that has the key already; NULL: this is the first.
static const Value *seen(StrMap *map, Str key, const Value *value) {
    return key.len == 0 ? NULL : str_map_add(map, key, value);
}

static void check_containers(const PodOnce *check) {
    static const char *const KEYS[] = { "initContainers", "containers" };
    StrMap names = { .arena = check->rules->session->arena };
    for (size_t k = 0; k < COUNT_OF(KEYS); k++) {
        const Value *containers = object_get(check->pod, KEYS[k]);
        for (uint32_t i = 0; i < object_count(containers); i++) {
            const Value *name = object_get(containers->list.items[i], "name");
            const Value *first = seen(&names, object_text(name), name);
            if (first != NULL) {
                say(check, name, first, "two containers of its pod are called", "give one of them another name");
            }
        }
    }
}

static void check_volumes(const PodOnce *check) {
    const Value *volumes = object_get(check->pod, "volumes");
    StrMap names = { .arena = check->rules->session->arena };
    for (uint32_t i = 0; i < object_count(volumes); i++) {
        const Value *name = object_get(volumes->list.items[i], "name");
        const Value *first = seen(&names, object_text(name), name);
        if (first != NULL) {
            say(check, name, first, "two volumes of its pod are called",
                "give one of them another name, and its mounts");
        }
    }
}

static void check_places(const PodOnce *check, const Value *container) {
    static const struct {
        const char *list;
        const char *key;
    } PLACES[] = { { "volumeMounts", "mountPath" }, { "volumeDevices", "devicePath" } };
    StrMap places = { .arena = check->rules->session->arena };
    for (size_t k = 0; k < COUNT_OF(PLACES); k++) {
        const Value *mounts = object_get(container, PLACES[k].list);
        for (uint32_t i = 0; i < object_count(mounts); i++) {
            const Value *place = object_get(mounts->list.items[i], PLACES[k].key);
            const Value *first = seen(&places, object_text(place), place);
            if (first != NULL) {
                say(check, place, first, "a container has two mounts at", "mount one of them elsewhere");
            }
        }
    }
}

// Of one container. Another one may have ports of the same names, and a number may stand several times.
static void check_port_names(const PodOnce *check, const Value *container) {
    const Value *ports = object_get(container, "ports");
    StrMap names = { .arena = check->rules->session->arena };
    for (uint32_t i = 0; i < object_count(ports); i++) {
        const Value *name = object_get(ports->list.items[i], "name");
        const Value *first = seen(&names, object_text(name), name);
        if (first != NULL) {
            say(check, name, first, "two ports of a container are called", "give one of them another name");
        }
    }
}

// The port of the node that a container's port takes; NULL: none. In the network of its node each takes its own.
static const Value *host_port(const PodOnce *check, const Value *port) {
    const Value *host = object_get(port, "hostPort");
    const Value *network = object_get(check->pod, "hostNetwork");
    const bool has_network = network != NULL && network->kind == VALUE_BOOL && network->boolean;
    host = host == NULL && has_network ? object_get(port, "containerPort") : host;
    return host != NULL && host->kind == VALUE_INT && host->integer > 0 ? host : NULL;
}

static void check_host_ports(const PodOnce *check) {
    const Value *containers = object_get(check->pod, "containers");
    Arena *arena = check->rules->session->arena;
    StrMap taken = { .arena = arena };
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Value *ports = object_get(containers->list.items[i], "ports");
        for (uint32_t k = 0; k < object_count(ports); k++) {
            const Value *port = ports->list.items[k];
            const Value *host = host_port(check, port);
            const Value *protocol = object_get(port, "protocol");
            const Str word = protocol == NULL ? STR("TCP") : object_text(protocol);
            if (host == NULL || word.len == 0) {
                continue;
            }
            const Str key = str_format(arena, "%.*s %.*s %" PRId64, STR_ARG(word),
                                       STR_ARG(object_text(object_get(port, "hostIP"))), host->integer);
            const Value *first = seen(&taken, key, host);
            if (first != NULL) {
                say(check, host, first,
                    "its pod takes a port of the node twice:", "write another port, or leave one out");
            }
        }
    }
}

// Who makes pods for kinds without rows may read these lists in another way.
void rule_pod_refused(const Rules *rules, const PlanObject *object) {
    static const char *const KEYS[] = { "initContainers", "containers" };
    for (uint32_t i = 0; object->kind != NULL && !object->is_changed && i < object->pods.count; i++) {
        const PodOnce check = { .rules = rules, .object = object, .pod = object->pods.items[i].spec };
        check_containers(&check);
        check_volumes(&check);
        check_host_ports(&check);
        for (size_t k = 0; k < COUNT_OF(KEYS); k++) {
            const Value *containers = object_get(check.pod, KEYS[k]);
            for (uint32_t n = 0; n < object_count(containers); n++) {
                check_places(&check, containers->list.items[n]);
                check_port_names(&check, containers->list.items[n]);
            }
        }
    }
}
