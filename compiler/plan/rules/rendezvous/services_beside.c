// Rules about Services in all files that were given together, and the pods that look for them: a port that a Service has not,
// and the Service of a StatefulSet under another name.
// source: Kubernetes, Service, "Port definitions" and "Headless Services", and StatefulSets, Stable Network ID, read 2026-11
#include "compiler/plan/rules/together_services.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_address.h"

static bool is_service(const PlanObject *object) {
    return str_is(object->resource->type, "v1/Service") && !object->is_changed;
}

// Of a name and what belongs to it. No name has such a sign.
static Str with_port(Arena *arena, Str name, int64_t port) {
    return str_format(arena, "%.*s:%" PRId64, STR_ARG(name), port);
}

// Behind one without an address of its own, and one of another domain, each port is as good as another.
static bool has_address(const Value *spec) {
    const Value *type = object_get(spec, "type");
    return object_get(spec, "clusterIP") == NULL && (type == NULL || str_is(object_text(type), "ClusterIP")) &&
           object_get(spec, "selector") != NULL;
}

// What it selects: `NAME`, and a line for each label.
static void add_headless(MadeObjects *made, Str place, Str name, const Value *selector) {
    StrBuf text = { .arena = made->arena };
    strbuf_add(&text, name);
    for (uint32_t i = 0; selector != NULL && selector->kind == VALUE_MAP && i < selector->map.count; i++) {
        const Str value = object_text(selector->map.entries[i].value);
        if (value.len == 0) {
            return;
        }
        strbuf_add(&text,
                   str_format(made->arena, "\n%.*s=%.*s", STR_ARG(selector->map.entries[i].key), STR_ARG(value)));
    }
    together_add(made, MADE_HEADLESS, place, strbuf_str(&text));
}

void services_add_made(MadeObjects *made, const Plan *plan) {
    for (uint32_t i = 0; i < plan->objects.count; i++) {
        const PlanObject *object = plan->objects.items[i];
        const Value *spec = object_get(object->fields, "spec");
        const Value *ports = object_get(spec, "ports");
        const Str place = plan_namespace_of_object(object);
        const Str name = plan_name_of_object(object);
        if (!is_service(object)) {
            continue;
        }
        together_add(made, MADE_SERVICE, place, name);
        if (str_is(object_text(object_get(spec, "clusterIP")), "None")) {
            add_headless(made, place, name, object_get(spec, "selector"));
        }
        bool is_open = !has_address(spec) || object_count(ports) == 0;
        for (uint32_t k = 0; k < object_count(ports); k++) {
            const Value *port = object_get(ports->list.items[k], "port");
            is_open = is_open || port == NULL || port->kind != VALUE_INT;
            if (!is_open) {
                together_add(made, MADE_SERVICE_PORT, place, with_port(made->arena, name, port->integer));
            }
        }
        if (is_open) {
            together_add(made, MADE_SERVICE_OPEN, place, name);
        }
    }
}

typedef struct {
    Session *session;
    const FilesTogether *together;
    const PlanObject *object;
} ServicesCheck;

static bool is_made(const ServicesCheck *check, int kind, Str place, Str name) {
    return together_find(check->session->arena, check->together, kind, place, name) != NULL;
}

// ---- ports -----------------------------------------------------------------------------------------------------------

// The first port that a Service has; empty: none.
static Str port_of(const ServicesCheck *check, Str place, Str name) {
    const Str start = str_format(check->session->arena, "%.*s:", STR_ARG(name));
    for (uint32_t i = 0; i < check->together->made.count; i++) {
        const MadeObjects *made = check->together->made.items[i];
        for (uint32_t k = 0; k < made->items.count; k++) {
            const MadeObject *item = made->items.items[k];
            if (item->kind == MADE_SERVICE_PORT && str_equal(item->place, place) &&
                str_starts_with(item->name, start)) {
                return str_slice(item->name, start.len, item->name.len);
            }
        }
    }
    return STR_NONE;
}

// Reports a port of a host that is a Service here, which has it not.
static bool check_port(const ServicesCheck *check, Str host, int64_t port, Span span) {
    const Str name = pod_host_part(host, 0);
    const Str second = pod_host_part(host, 1);
    const Str third = pod_host_part(host, 2);
    const Str place = second.len > 0 ? second : plan_namespace_of_object(check->object);
    if ((third.len > 0 && !str_is(third, "svc")) || port < 1 || port > UINT16_MAX ||
        !is_made(check, MADE_SERVICE, place, name) || is_made(check, MADE_SERVICE_OPEN, place, name) ||
        is_made(check, MADE_SERVICE_PORT, place, with_port(check->session->arena, name, port))) {
        return false;
    }
    Diag *diag = plan_report(check->session, check->object->subject, span, DIAG(service_port), STR_ARG(name), port);
    diag_help(check->session, diag, "write `%.*s`, or add the port to the Service",
              STR_ARG(port_of(check, place, name)));
    return true;
}

static bool is_of_host(char c) {
    return char_is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '.';
}

// The number of two to five digits that stands at a place and ends there; -1: something else. Images have short tags.
static int64_t port_at(Str text, size_t at, size_t *end) {
    enum { DIGITS_MAX = 5 };
    int64_t port = 0;
    size_t i = at;
    for (; char_is_digit(str_at(text, i)) && i - at <= DIGITS_MAX; i++) {
        port = port * 10 + (text.data[i] - '0');
    }
    *end = i;
    const bool is_short = i - at < 2 || (i - at == 2 && port != 80);
    return is_short || i - at > DIGITS_MAX || is_of_host(str_at(text, i)) || str_at(text, i) == '_' ? -1 : port;
}

// Each `HOST:PORT` in a text.
static void check_text(const ServicesCheck *check, const CommandWord *word) {
    const Str text = word->run.len > 0 ? word->run : word->text;
    size_t start = 0;
    for (size_t at = 0; at < text.len; at++) {
        if (text.data[at] == ':' && at > start && char_is_digit(str_at(text, at + 1))) {
            const char before = start == 0 ? ' ' : text.data[start - 1];
            const bool is_url = before == '/' && start > 2 && text.data[start - 2] == '/';
            const bool is_begin = before != '/' && before != '_' && before != '$' && before != '}' && before != ')' &&
                                  before != '%' && (before < 'A' || before > 'Z');
            size_t end = at + 1;
            const int64_t port = is_begin || is_url ? port_at(text, at + 1, &end) : -1;
            if (port > 0 && check_port(check, str_slice(text, start, at), port,
                                       command_part_place(check->session, word, at + 1, end))) {
                return;
            }
        }
        start = is_of_host(text.data[at]) ? start : at + 1;
    }
}

static int64_t number_of(Str text) {
    size_t end = 0;
    const int64_t port = port_at(text, 0, &end);
    return end == text.len ? port : -1;
}

// `REDIS_HOST` and `REDIS_PORT`.
static void check_pairs(const ServicesCheck *check, const PlanLauncher *launcher) {
    static const char *const ENDS[] = { "_HOST", "_ADDR", "_ADDRESS", "_ENDPOINT", "_IP" };
    enum { VARIABLES_MAX = 500 };
    for (uint32_t i = 0; i < launcher->variables.count && i < VARIABLES_MAX; i++) {
        const PlanVariable *variable = &launcher->variables.items[i];
        for (size_t k = 0; k < COUNT_OF(ENDS); k++) {
            const Str end = str_of(ENDS[k]);
            if (!str_ends_with(variable->name.text, end) || variable->value.state != FIELD_KNOWN) {
                continue;
            }
            const Str name = str_format(check->session->arena, "%.*s_PORT",
                                        STR_ARG(str_slice(variable->name.text, 0, variable->name.text.len - end.len)));
            const PlanVariable *port = launcher_variable(launcher, name);
            if (port != NULL && port->value.state == FIELD_KNOWN) {
                check_port(check, variable->value.text, number_of(port->value.text), port->value.span);
            }
        }
    }
}

static void check_workload(const ServicesCheck *check, const PlanWorkload *workload) {
    const PlanLauncher *launcher = workload->launcher;
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        check_text(check, &launcher->words.items[i]);
    }
    for (uint32_t i = 0; i < launcher->variables.count; i++) {
        const PlanField *value = &launcher->variables.items[i].value;
        if (value->state == FIELD_KNOWN) {
            const CommandWord word = { .text = value->text, .run = value->text, .span = value->span };
            check_text(check, &word);
        }
    }
    check_pairs(check, launcher);
    if (launcher->address.state == FIELD_KNOWN && launcher->port.state == FIELD_KNOWN) {
        check_port(check, launcher->address.text, number_of(launcher->port.text),
                   launcher_part(check->session, launcher->port.span, launcher->port.text));
    }
}

// source: kubeflow/training-operator v1.9.0 pkg/apis/kubeflow.org/v1/pytorch_types.go, ElasticPolicy, read 2026-11
static void check_elastic(const ServicesCheck *check) {
    const Value *policy = object_get(object_get(check->object->fields, "spec"), "elasticPolicy");
    const Value *port = object_get(policy, "rdzvPort");
    if (port != NULL && port->kind == VALUE_INT) {
        check_port(check, object_text(object_get(policy, "rdzvHost")), port->integer, port->span);
    }
}

// ---- the Service of a StatefulSet ----------------------------------------------------------------------------------

// Whether the labels of pods have all that a Service selects by.
static bool selects(Str headless, const Value *labels) {
    size_t at = str_find(headless, STR("\n"), 0);
    bool is = at < headless.len;
    while (is && at < headless.len) {
        const size_t next = str_find(headless, STR("\n"), at + 1);
        const Str line = str_slice(headless, at + 1, next);
        const size_t sign = str_find(line, STR("="), 0);
        const Value *label = value_find(labels, str_slice(line, 0, sign));
        is = label != NULL && str_equal(object_text(label), str_slice(line, sign + 1, line.len));
        at = next;
    }
    return is;
}

// In its own file rule pod_names speaks of it.
static void check_set(const ServicesCheck *check) {
    const Value *spec = object_get(check->object->fields, "spec");
    const Value *name = object_get(spec, "serviceName");
    const Value *labels = object_get(object_get(object_get(spec, "template"), "metadata"), "labels");
    const Str place = plan_namespace_of_object(check->object);
    const Str text = object_text(name);
    if (text.len == 0 || str_has(text, "$") || str_has(text, "{") || labels == NULL || labels->kind != VALUE_MAP ||
        is_made(check, MADE_SERVICE, place, text)) {
        return;
    }
    const MadeObject *found = NULL;
    for (uint32_t i = 1; i < check->together->made.count; i++) {
        const MadeObjects *made = check->together->made.items[i];
        for (uint32_t k = 0; k < made->items.count; k++) {
            const MadeObject *item = made->items.items[k];
            if (item->kind == MADE_HEADLESS && str_equal(item->place, place) && selects(item->name, labels) &&
                made_find(check->session->arena, check->together->made.items[0], MADE_HEADLESS, place, item->name) ==
                    NULL) {
                found = item;
            }
        }
    }
    if (found != NULL) {
        Diag *diag = plan_report(check->session, check->object->subject, name->span, DIAG(pod_names),
                                 "no Service here has this name");
        diag_help(check->session, diag, "write `%.*s`, which is headless and selects these pods",
                  STR_ARG(str_slice(found->name, 0, str_find(found->name, STR("\n"), 0))));
    }
}

void services_check(Session *session, const Plan *plan, const FilesTogether *together) {
    ServicesCheck check = { .session = session, .together = together };
    for (uint32_t i = 0; i < plan->objects.count; i++) {
        check.object = plan->objects.items[i];
        if (check.object->is_changed) {
            continue;
        }
        for (uint32_t k = 0; k < check.object->workloads.count; k++) {
            check_workload(&check, check.object->workloads.items[k]);
        }
        check_elastic(&check);
        if (str_is(check.object->resource->type, "apps/v1/StatefulSet")) {
            check_set(&check);
        }
    }
}
