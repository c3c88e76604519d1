// Finds addresses among the variables and the words of a container. A host that stands in another text, such as a list of
// hosts that a proxy leaves out, is not one that the container connects to.
#include "compiler/plan/rules/pod_address.h"

#include "compiler/plan/model/object_value.h"

static bool is_of_host(char c) {
    return char_is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '.';
}

// Of `scheme://user:password@host:port/path`; empty where no name stands there.
static Str host_of(Str text) {
    const size_t scheme = str_find(text, STR("://"), 0);
    const Str behind = scheme < text.len ? str_slice(text, scheme + 3, text.len) : text;
    const Str authority = str_slice(behind, 0, str_find(behind, STR("/"), 0));
    const Str rest = str_after_last(authority, '@');
    size_t end = 0;
    while (end < rest.len && is_of_host(rest.data[end])) {
        end++;
    }
    const bool is_name = end > 0 && (end == rest.len || strchr(":/,", rest.data[end]) != NULL) && rest.data[0] != '.' &&
                         rest.data[0] != '-';
    end -= is_name && rest.data[end - 1] == '.' ? 1 : 0;
    return is_name ? str_slice(rest, 0, end) : STR_NONE;
}

static bool is_address_name(Str name) {
    static const char *const ENDS[] = { "ADDR", "ADDRESS", "HOST", "ENDPOINT", "URL", "COMM_ID" };
    for (size_t i = 0; i < COUNT_OF(ENDS); i++) {
        if (str_ends_with(name, str_of(ENDS[i]))) {
            return true;
        }
    }
    return false;
}

// What torch.distributed and torchrun call the address of rank 0.
static bool is_meeting_name(Str name) {
    static const char *const NAMES[] = { "MASTER_ADDR", "PET_MASTER_ADDR", "PET_RDZV_ENDPOINT", "RDZV_ENDPOINT" };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if (str_is(name, NAMES[i])) {
            return true;
        }
    }
    return false;
}

static void add(const Rules *rules, PodAddresses *addresses, Str text, Span span, bool is_meeting) {
    const Str host = host_of(text);
    if (host.len > 0) {
        vec_push(rules->session->arena, addresses,
                 ((PodAddress){ .host = host, .span = span, .is_meeting = is_meeting }));
    }
}

PodAddresses pod_addresses_of_words(const Rules *rules, const PlanLauncher *launcher) {
    const Session *session = rules->session;
    PodAddresses addresses = { 0 };
    const PlanField said[] = { launcher->address, launcher->endpoint,
                               launcher_setting(session, launcher, "MASTER_ADDR") };
    for (size_t i = 0; i < COUNT_OF(said); i++) {
        add(rules, &addresses, said[i].text, launcher_part(session, said[i].span, host_of(said[i].text)), true);
    }
    return addresses;
}

PodAddresses pod_addresses(const Rules *rules, const PlanLauncher *launcher) {
    PodAddresses addresses = { 0 };
    for (uint32_t i = 0; i < launcher->variables.count; i++) {
        const PlanVariable *variable = &launcher->variables.items[i];
        const Str name = variable->name.text;
        if (is_address_name(name)) {
            add(rules, &addresses, variable->value.text, variable->value.span, is_meeting_name(name));
        }
    }
    const PodAddresses words = pod_addresses_of_words(rules, launcher);
    for (uint32_t i = 0; i < words.count; i++) {
        vec_push(rules->session->arena, &addresses, words.items[i]);
    }
    return addresses;
}

Str pod_host_part(Str host, int index) {
    size_t start = 0;
    for (; index > 0 && start < host.len; index--) {
        start = str_find(host, STR("."), start) + 1;
    }
    return start < host.len ? str_slice(host, start, str_find(host, STR("."), start)) : STR_NONE;
}

int64_t pod_index(Str host, Str job) {
    const Str first = pod_host_part(host, 0);
    int64_t index = 0;
    if (job.len == 0 || first.len < job.len + 2 || !str_starts_with(first, job) || first.data[job.len] != '-') {
        return -1;
    }
    for (size_t i = job.len + 1; i < first.len; i++) {
        if (!char_is_digit(first.data[i]) || index > INT32_MAX) {
            return -1;
        }
        index = index * 10 + (first.data[i] - '0');
    }
    return index;
}

const PlanObject *pod_service(const Rules *rules, Str name, Str place) {
    for (uint32_t i = 0; name.len > 0 && i < rules->plan->objects.count; i++) {
        const PlanObject *object = rules->plan->objects.items[i];
        if (str_is(object->resource->type, "v1/Service") && !object->is_changed &&
            str_equal(plan_name_of_object(object), name) && str_equal(plan_namespace_of_object(object), place)) {
            return object;
        }
    }
    return NULL;
}

bool pod_service_is_headless(const PlanObject *service) {
    return str_is(object_text(object_get(object_get(service->fields, "spec"), "clusterIP")), "None");
}

// `NAME-GROUP-INDEX`.
static bool is_of_group(Str host, Str name) {
    const Str rest = name.len > 0 && str_starts_with(host, name) ? str_slice(host, name.len, host.len) : STR_NONE;
    return rest.len > 3 && rest.data[0] == '-' && char_is_digit(rest.data[rest.len - 1]);
}

Str pod_subdomain(const PlanObject *object, const Value *pod) {
    const Str own = object_text(object_get(pod, "subdomain"));
    const char *path = object->kind == NULL ? NULL : object->kind->domain;
    const Value *written = plan_value_at(object->fields, workload_path(path));
    return own.len > 0 || path == NULL ? own : written != NULL ? object_text(written) : plan_name_of_object(object);
}

bool pod_is_cluster_name(const Rules *rules, const PlanObject *object, const Value *pod, Str host) {
    const Str first = pod_host_part(host, 0);
    const Str second = pod_host_part(host, 1);
    const Str third = pod_host_part(host, 2);
    const Str own = plan_namespace_of_object(object);
    const Str subdomain = pod_subdomain(object, pod);
    if (plan_object_is(object, NAMES_PODS) && second.len == 0 && is_of_group(host, plan_name_of_object(object))) {
        return true;
    }
    if (str_ends_with(host, STR(".svc.cluster.local")) || str_ends_with(host, STR(".svc")) ||
        (subdomain.len > 0 && str_equal(second, subdomain))) {
        return true;
    }
    if (third.len == 0 && pod_service(rules, first, second.len == 0 ? own : second) != NULL) {
        return true;
    }
    const PlanObject *service = pod_service(rules, second, third.len == 0 ? own : third);
    return service != NULL && pod_service_is_headless(service);
}

bool pod_has_volcano_names(const Value *plugins) {
    static const char *const NAMES[] = { "svc", "tensorflow", "mpi", "pytorch", "ray" };
    for (size_t i = 0; plugins != NULL && i < COUNT_OF(NAMES); i++) {
        if (plugins->kind == VALUE_MAP && value_get(plugins, NAMES[i]) != NULL) {
            return true;
        }
    }
    return false;
}
