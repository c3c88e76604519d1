// Rules about the addresses at which the pods of a job look for each other. Kubernetes takes any text for one; the pods
// then wait until a timeout.
#include "compiler/plan/rules/pod_address.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher_option.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/model/object_value.h"

// ---- whom a pod asks -----------------------------------------------------------------------------------------------

static bool is_true(const Value *value) {
    return value != NULL && value->kind == VALUE_BOOL && value->boolean;
}

// What makes a pod ask the DNS of its node, which knows no name of the cluster: Kubernetes, DNS for Services and Pods,
// Pod's DNS Policy, read 2026-11. NULL where it asks that of the cluster, or nobody knows.
static const Value *cause_of_node_dns(const Value *pod) {
    const Value *policy = object_get(pod, "dnsPolicy");
    const Value *host = object_get(pod, "hostNetwork");
    if (object_get(pod, "dnsConfig") != NULL || object_get(pod, "hostAliases") != NULL) {
        return NULL;
    }
    if (str_is(object_text(policy), "Default")) {
        return policy;
    }
    const bool is_first = policy == NULL || str_is(object_text(policy), "ClusterFirst");
    return is_first && is_true(host) ? host : NULL;
}

// Of a pod on the network of its node; another cause may be meant so.
static void write_policy(const Rules *rules, Diag *diag, const Value *pod, const Value *host) {
    const Value *policy = object_get(pod, "dnsPolicy");
    const Str word = STR("ClusterFirstWithHostNet");
    if (policy != NULL) {
        rule_replace(rules, diag, policy->span, object_text(policy), word);
    } else {
        rule_insert_beside(rules, diag, host->span, STR("dnsPolicy"), word);
    }
}

// The fix is for pods that look for each other there: they never ran.
static Diag *say_dns(const Rules *rules, const PlanObject *object, const Value *pod, const Value *cause,
                     const PodAddress *address) {
    const Str host = address->host;
    const Span span = address->span;
    Session *session = rules->session;
    Diag *diag = plan_report(session, object->subject, span, DIAG(pod_dns), STR_ARG(host));
    const bool is_policy = cause->kind == VALUE_STRING;
    diag_label(session, diag, cause->span,
               is_policy ? "of the node" : "with it, `ClusterFirst` is the DNS of the node");
    diag_help(session, diag, is_policy ? "leave `dnsPolicy` out" : "write `dnsPolicy%s` beside `hostNetwork`",
              object->is_manifest ? ": ClusterFirstWithHostNet" : " = \"ClusterFirstWithHostNet\"");
    if (!is_policy && address->is_meeting) {
        write_policy(rules, diag, pod, cause);
    }
    return diag;
}

// By an address that a container asks for, or by the variable that has the host of a pod.
static bool check_dns(const Rules *rules, const PlanObject *object, const PlanWorkload *workload, const Value *cause) {
    const PodAddresses addresses = pod_addresses(rules, workload->launcher);
    for (uint32_t i = 0; i < addresses.count; i++) {
        if (pod_is_cluster_name(rules, object, workload->pod, addresses.items[i].host)) {
            say_dns(rules, object, workload->pod, cause, &addresses.items[i]);
            return true;
        }
    }
    const char *name = object->kind == NULL ? NULL : object->kind->address;
    const CommandWord *word = name == NULL ? NULL : launcher_says(workload->launcher, name);
    if (word != NULL) {
        const Str host = str_of(name);
        const size_t at = str_find(word->run, host, 0);
        const PodAddress address = { host, command_part_place(rules->session, word, at, at + host.len), true };
        say_dns(rules, object, workload->pod, cause, &address);
    }
    return word != NULL;
}

// Of the first container that does.
static bool check_dns_of_pod(const Rules *rules, const PlanObject *object, const PlanPod *pod, const Value *cause) {
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        const PlanWorkload *workload = object->workloads.items[i];
        if (workload->place == pod && check_dns(rules, object, workload, cause)) {
            return true;
        }
    }
    return false;
}

// Whether the maker tells these pods a name of the cluster.
static bool is_told_host(const PlanObject *object, const PlanPod *pod) {
    const WorkloadKind *kind = object->kind;
    const char *path = pod->row == NULL ? NULL : pod->row->path;
    if (kind == NULL || kind->host == NULL || path == NULL ||
        (kind->seekers != NULL && strstr(path, kind->seekers) == NULL)) {
        return false;
    }
    size_t at = 0;
    bool is = true;
    for (Str next = kind->host_by == NULL ? STR_NONE : workload_next(kind->host_by, &at); next.len > 0;
         next = workload_next(kind->host_by, &at)) {
        is = is && plan_value_at(object->fields, next) != NULL;
    }
    return is;
}

void rule_pod_dns(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; !object->is_changed && plan_object_is(object, KEEPS_DNS) && i < object->pods.count; i++) {
        const PlanPod *pod = &object->pods.items[i];
        const Value *cause = cause_of_node_dns(pod->spec);
        if (cause == NULL || check_dns_of_pod(rules, object, pod, cause)) {
            continue;
        }
        if (is_told_host(object, pod)) {
            const PodAddress address = { str_of(object->kind->host), cause->span, true };
            Diag *diag = say_dns(rules, object, pod->spec, cause, &address);
            diag_note(rules->session, diag, "the pods get it from what makes them");
            return;
        }
    }
}

// ---- which pod it is -----------------------------------------------------------------------------------------------

// An address that is one of the pods of a Job with indices: `JOB-INDEX.SUBDOMAIN`.
typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const Value *pod;
    const PlanWorkload *workload;
    PodAddress address;
    int64_t index;
} OwnPod;

static Diag *say_pod(const OwnPod *own, const char *why) {
    return plan_report(own->rules->session, own->object->subject, own->address.span, DIAG(pod_address), "pods",
                       STR_ARG(own->address.host), why);
}

// Whether a text is the index of the pod, as Kubernetes gives it or at the end of the name of the pod.
static bool is_index(Str text) {
    static const char *const WAYS[] = { "$JOB_COMPLETION_INDEX",
                                        "${JOB_COMPLETION_INDEX}",
                                        "$(JOB_COMPLETION_INDEX)",
                                        "${HOSTNAME##*-}",
                                        "metadata.annotations['batch.kubernetes.io/job-completion-index']",
                                        "metadata.labels['batch.kubernetes.io/job-completion-index']" };
    for (size_t i = 0; i < COUNT_OF(WAYS); i++) {
        if (str_is(text, WAYS[i])) {
            return true;
        }
    }
    return false;
}

// The variable or the word that makes the index the rank of the pod; none where something else may decide.
static Span rank_by_index(const OwnPod *own) {
    const char *const OPTIONS[] = { launcher_option_name(LAUNCHER_OPTION(rank)), "NODE_RANK", "RANK" };
    static const char *const NAMES[] = { "NODE_RANK", "RANK", "GROUP_RANK", "PET_NODE_RANK" };
    const Value *env = object_get(own->workload->container, "env");
    for (size_t i = 0; i < COUNT_OF(OPTIONS); i++) {
        const PlanField said = launcher_setting(own->rules->session, own->workload->launcher, OPTIONS[i]);
        if (is_index(said.text)) {
            return said.key;
        }
    }
    for (uint32_t i = 0; i < object_count(env); i++) {
        const Value *item = env->list.items[i];
        const Value *field = object_get(object_get(item, "valueFrom"), "fieldRef");
        const Value *value = field == NULL ? object_get(item, "value") : object_get(field, "fieldPath");
        for (size_t k = 0; k < COUNT_OF(NAMES); k++) {
            if (str_is(object_text(object_get(item, "name")), NAMES[k]) && is_index(object_text(value))) {
                return value->span;
            }
        }
    }
    return SPAN_NONE;
}

// A rendezvous of its own finds out which pod stands at its address, and gives the ranks.
static bool has_rendezvous(const OwnPod *own) {
    return launcher_option_is_said(own->workload->launcher, LAUNCHER_OPTION(backend)) ||
           launcher_option_is_said(own->workload->launcher, LAUNCHER_OPTION(endpoint)) ||
           launcher_sets(own->workload->launcher, "PET_RDZV");
}

static void write_host(const OwnPod *own, Diag *diag, Str host) {
    rule_write_at(own->rules, diag, own->address.span, own->address.host, host);
}

// The pod of index 0, below what stands behind the name of the other one.
static void write_first(const OwnPod *own, Diag *diag) {
    const Str host = own->address.host;
    const Str rest = str_slice(host, pod_host_part(host, 0).len, host.len);
    write_host(
        own, diag,
        str_format(own->rules->session->arena, "%.*s-0%.*s", STR_ARG(plan_name_of_object(own->object)), STR_ARG(rest)));
}

static bool check_index(const OwnPod *own) {
    const Value *spec = object_get(own->object->fields, "spec");
    const Value *completions = object_get(spec, "completions");
    Session *session = own->rules->session;
    if (completions != NULL && object_int32(completions, -1) >= 0 && own->index >= completions->integer) {
        Diag *diag = say_pod(own, "the job has no pod of this index");
        diag_label(session, diag, completions->span, "indices from 0 to %" PRId64, completions->integer - 1);
        write_first(own, diag);
        return true;
    }
    const Span rank = own->index == 0 || has_rendezvous(own) ? SPAN_NONE : rank_by_index(own);
    if (!span_is_none(rank)) {
        Diag *diag = say_pod(own, "the pod of rank 0, which answers the others, is that of index 0");
        diag_label(session, diag, rank, "the rank is the index");
        write_first(own, diag);
    }
    return !span_is_none(rank);
}

// A Job gives its pods no subdomain. Where the address names a Service that is here and headless, nothing else can be
// meant. Of another subdomain rule pod_names speaks.
static bool check_subdomain(const OwnPod *own) {
    const Str wanted = pod_host_part(own->address.host, 1);
    const PlanObject *service = pod_service(own->rules, wanted, plan_namespace_of_object(own->object));
    if (object_get(own->pod, "subdomain") != NULL || service == NULL || !pod_service_is_headless(service)) {
        return false;
    }
    Diag *diag = say_pod(own, "the pods have no `subdomain`");
    diag_help(own->rules->session, diag,
              own->object->is_manifest ? "write `subdomain: %.*s` beside `containers`"
                                       : "write `subdomain = \"%.*s\"` beside `containers`",
              STR_ARG(wanted));
    rule_insert_beside(own->rules, diag, own->pod->map.entries[0].key_span, STR("subdomain"), wanted);
    return true;
}

// Where the pods have a subdomain, it is the one of their address, with their namespace behind it. A Service may be
// called as a pod is.
static bool check_domain(const OwnPod *own) {
    const Str subdomain = object_text(object_get(own->pod, "subdomain"));
    const Str place = plan_namespace_of_object(own->object);
    const Str second = pod_host_part(own->address.host, 1);
    const Str third = pod_host_part(own->address.host, 2);
    const bool has_place = object_get(object_get(own->object->fields, "metadata"), "namespace") != NULL;
    const char *why = NULL;
    if (subdomain.len == 0 || str_equal(second, place) ||
        pod_service(own->rules, pod_host_part(own->address.host, 0), place) != NULL) {
        return false;
    }
    if (second.len == 0) {
        why = "a pod has no address without its subdomain";
    } else if (!str_equal(second, subdomain) && pod_service(own->rules, subdomain, place) != NULL) {
        why = "their subdomain is another one";
    } else if (str_equal(second, subdomain) && third.len > 0 && has_place && place.len > 0 &&
               !str_equal(third, place)) {
        why = "their namespace is another one";
    }
    if (why == NULL) {
        return false;
    }
    Diag *diag = say_pod(own, why);
    write_host(own, diag,
               str_format(own->rules->session->arena, "%.*s.%.*s", STR_ARG(pod_host_part(own->address.host, 0)),
                          STR_ARG(subdomain)));
    return true;
}

// Pods of higher indices begin when others have ended, and those of a rendezvous wait for all.
static bool check_parallelism(const OwnPod *own) {
    const Value *spec = object_get(own->object->fields, "spec");
    const Value *parallelism = object_get(spec, "parallelism");
    const Value *completions = object_get(spec, "completions");
    const int64_t at_once = object_int32(parallelism, 1);
    const int64_t all = object_int32(completions, -1);
    const PlanLauncher *launcher = own->workload->launcher;
    if (at_once < 0 || all <= at_once || launcher_number(launcher, &launcher->nodes) > at_once) {
        return false; // rule rendezvous_count says it
    }
    Session *session = own->rules->session;
    Diag *diag = plan_report(session, own->object->subject, parallelism == NULL ? completions->span : parallelism->span,
                             DIAG(pods_at_once), all, at_once);
    diag_label(session, diag, own->address.span, "they meet here");
    diag_help(session, diag,
              own->object->is_manifest ? "write `parallelism: %" PRId64 "`" : "write `parallelism = %" PRId64 "`", all);
    rule_replace(own->rules, diag, parallelism == NULL ? SPAN_NONE : parallelism->span,
                 str_format(session->arena, "%" PRId64, at_once), str_format(session->arena, "%" PRId64, all));
    return true;
}

// Whether a Service selects the pods of this Job alone.
static bool is_service_of(const PlanObject *service, Str job) {
    static const char *const KEYS[] = { "job-name", "batch.kubernetes.io/job-name" };
    const Value *selector = object_get(object_get(service->fields, "spec"), "selector");
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        is = is || (job.len > 0 && str_equal(object_text(object_get(selector, KEYS[i])), job));
    }
    return is && pod_service_is_headless(service);
}

// An address like that of a pod, below the subdomain of the job, whose Service has no others.
static bool check_job(const OwnPod *own) {
    const Str job = plan_name_of_object(own->object);
    const Str place = plan_namespace_of_object(own->object);
    const Str first = pod_host_part(own->address.host, 0);
    const Str second = pod_host_part(own->address.host, 1);
    const Str subdomain = object_text(object_get(own->pod, "subdomain"));
    const PlanObject *service = subdomain.len == 0 ? NULL : pod_service(own->rules, subdomain, place);
    size_t end = first.len;
    while (end > 0 && char_is_digit(first.data[end - 1])) {
        end--;
    }
    const bool is_of_pod = end > 1 && end < first.len && first.data[end - 1] == '-';
    if (!is_of_pod || !str_equal(second, subdomain) || str_equal(second, place) || service == NULL ||
        !is_service_of(service, job) || object_get(own->pod, "hostname") != NULL) {
        return false;
    }
    Diag *diag = say_pod(own, "no pod of this job is called so");
    write_host(own, diag, str_format(own->rules->session->arena, "%.*s-0.%.*s", STR_ARG(job), STR_ARG(subdomain)));
    return true;
}

static bool check_workload(const Rules *rules, const PlanObject *object, const PlanWorkload *workload) {
    const PodAddresses addresses = pod_addresses(rules, workload->launcher);
    for (uint32_t i = 0; i < addresses.count; i++) {
        const OwnPod own = { .rules = rules,
                             .object = object,
                             .pod = workload->pod,
                             .workload = workload,
                             .address = addresses.items[i],
                             .index = pod_index(addresses.items[i].host, plan_name_of_object(object)) };
        if (own.index < 0 && own.address.is_meeting && check_job(&own)) {
            return true;
        }
        if (own.index >= 0 && own.address.is_meeting &&
            (check_index(&own) || check_subdomain(&own) || check_domain(&own) || check_parallelism(&own))) {
            return true;
        }
    }
    return false;
}

void rule_pod_of_address(const Rules *rules, const PlanObject *object) {
    const Value *mode = object_get(object_get(object->fields, "spec"), "completionMode");
    const bool is_indexed = str_is(object->resource->type, "batch/v1/Job") && str_is(object_text(mode), "Indexed");
    for (uint32_t i = 0; is_indexed && i < object->workloads.count; i++) {
        const PlanWorkload *workload = object->workloads.items[i];
        if (!workload->is_first && check_workload(rules, object, workload)) {
            return;
        }
    }
}
