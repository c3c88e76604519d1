// Rules about what a pod has once: names of its containers, volumes and ports, places of mounts, and ports of its node; and
// about names of pages. The API server refuses the pod; what makes it is taken, and no pod comes.
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

// A list whose items have a text of their own each.
typedef struct {
    const char *list;
    const char *key;
    const char *what;
    const char *help;
} OnceRow;

// Reports each item that has a text which another one has already, of this list or of one before it.
static void check_list(const PodOnce *check, const Value *owner, const OnceRow *row, StrMap *texts) {
    const Value *list = object_get(owner, row->list);
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Value *text = object_get(list->list.items[i], row->key);
        const Value *first = seen(texts, object_text(text), text);
        if (first != NULL) {
            say(check, text, first, row->what, row->help);
        }
    }
}

static void check_names(const PodOnce *check) {
    static const char CALLED[] = "two containers of its pod are called";
    static const char OTHER_NAME[] = "give one of them another name";
    static const OnceRow CONTAINERS[] = { { "initContainers", "name", CALLED, OTHER_NAME },
                                          { "containers", "name", CALLED, OTHER_NAME } };
    static const OnceRow VOLUMES = { "volumes", "name", "two volumes of its pod are called",
                                     "give one of them another name, and its mounts" };
    StrMap containers = { .arena = check->rules->session->arena };
    StrMap volumes = { .arena = check->rules->session->arena };
    for (size_t i = 0; i < COUNT_OF(CONTAINERS); i++) {
        check_list(check, check->pod, &CONTAINERS[i], &containers);
    }
    check_list(check, check->pod, &VOLUMES, &volumes);
}

// Another container may have ports of the same names, and a number may stand several times.
static void check_container(const PodOnce *check, const Value *container) {
    static const char TWO_AT[] = "a container has two mounts at";
    static const char ELSEWHERE[] = "mount one of them elsewhere";
    static const OnceRow PLACES[] = { { "volumeMounts", "mountPath", TWO_AT, ELSEWHERE },
                                      { "volumeDevices", "devicePath", TWO_AT, ELSEWHERE } };
    static const OnceRow PORTS = { "ports", "name", "two ports of a container are called",
                                   "give one of them another name" };
    StrMap places = { .arena = check->rules->session->arena };
    StrMap ports = { .arena = check->rules->session->arena };
    for (size_t i = 0; i < COUNT_OF(PLACES); i++) {
        check_list(check, container, &PLACES[i], &places);
    }
    check_list(check, container, &PORTS, &ports);
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

// source: kubernetes/kubernetes pkg/apis/core/validation/validation.go, validateLocalDescendingPath, 2026-11, read 2026-11
static void check_sub_paths(const PodOnce *check, const Value *container) {
    const Value *mounts = object_get(container, "volumeMounts");
    for (uint32_t i = 0; i < object_count(mounts); i++) {
        const Value *path = object_get(mounts->list.items[i], "subPath");
        if (str_starts_with(object_text(path), STR("/"))) {
            Session *session = check->rules->session;
            Diag *diag = plan_report(session, check->object->subject, path->span, DIAG(object_refused),
                                     STR_ARG(str_after_last(check->object->resource->type, '/')),
                                     "a `subPath` does not begin with `/`");
            diag_help(session, diag, "leave the `/` out: it is a path in the volume");
        }
    }
}

// The size of pages is a whole amount of bytes, with a unit of Kubernetes: HugePageSizeFromResourceName of
// pkg/apis/core/v1/helper. Those of all processors of AWS are written with `Ki`, `Mi` and `Gi`.
static bool is_size_of_pages(Str text) {
    size_t digits = 0;
    while (digits < text.len && char_is_digit(text.data[digits])) {
        digits++;
    }
    const Str unit = str_slice(text, digits, text.len);
    return digits > 0 && (str_is(unit, "Ki") || str_is(unit, "Mi") || str_is(unit, "Gi"));
}

static void check_pages(const PodOnce *check, const Value *container) {
    static const char *const KEYS[] = { "limits", "requests" };
    const Str start = STR("hugepages-");
    for (size_t k = 0; k < COUNT_OF(KEYS); k++) {
        const Value *map = object_get(object_get(container, "resources"), KEYS[k]);
        for (uint32_t i = 0; map != NULL && map->kind == VALUE_MAP && i < map->map.count; i++) {
            const ValueEntry *entry = &map->map.entries[i];
            const Str size = str_slice(entry->key, start.len, entry->key.len);
            if (!str_starts_with(entry->key, start) || is_size_of_pages(size) || str_has(size, "$") ||
                str_has(size, "{")) {
                continue;
            }
            Session *session = check->rules->session;
            const Str why = str_format(session->arena, "no pages have the size `%.*s`", STR_ARG(size));
            Diag *diag =
                plan_report(session, check->object->subject, entry->key_span, DIAG(object_refused),
                            STR_ARG(str_after_last(check->object->resource->type, '/')), str_c(session->arena, why));
            diag_help(session, diag, "write `hugepages-2Mi`, or `hugepages-1Gi`");
            return;
        }
    }
}

// Who makes pods for kinds without rows may read these lists in another way.
void rule_pod_refused(const Rules *rules, const PlanObject *object) {
    static const char *const KEYS[] = { "initContainers", "containers" };
    for (uint32_t i = 0; object->kind != NULL && !object->is_changed && i < object->pods.count; i++) {
        const PodOnce check = { .rules = rules, .object = object, .pod = object->pods.items[i].spec };
        check_names(&check);
        check_host_ports(&check);
        for (size_t k = 0; k < COUNT_OF(KEYS); k++) {
            const Value *containers = object_get(check.pod, KEYS[k]);
            for (uint32_t n = 0; n < object_count(containers); n++) {
                check_container(&check, containers->list.items[n]);
                check_sub_paths(&check, containers->list.items[n]);
                check_pages(&check, containers->list.items[n]);
            }
        }
    }
}
