// Rules about how the pods of one job find each other: torchrun waits for as many of them as it is told, and a headless
// Service gives each its name. Kubernetes takes all of it; the job waits until somebody looks.
#include "compiler/plan/rules/launcher/pod_address.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"
#include "compiler/plan/rules/pod_selection.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/rules/rule_word.h"

// ---- how many torchrun waits for ----------------------------------------------------------------------------------

typedef struct {
    int64_t at_once;
    int64_t all;       // of a Job, also those that begin when others have ended; else 0
    const char *what;  // "pod"
    const char *sign;  // behind a key of the file
    const Value *spec; // of a Job; NULL: of something else
} Runners;

// As many pods at once as the job has in all.
static void write_at_once(const Rules *rules, Diag *diag, const Runners *runners) {
    Arena *arena = rules->session->arena;
    const Value *parallelism = object_get(runners->spec, "parallelism");
    const Value *completions = object_get(runners->spec, "completions");
    const Str all = str_format(arena, "%" PRId64, runners->all);
    if (parallelism != NULL) {
        rule_replace(rules, diag, parallelism->span, str_format(arena, "%" PRId64, runners->at_once), all);
    } else if (completions != NULL) {
        rule_insert_beside(rules, diag, completions->span, STR("parallelism"), all);
    }
}

static void say_count(const Rules *rules, const Subject *subject, const PlanLauncher *launcher, int64_t asked,
                      const Runners *runners) {
    Arena *arena = rules->session->arena;
    const char *count = str_c(arena, str_format(arena, "%" PRId64 " %s%s", runners->at_once, runners->what,
                                                runners->at_once == 1 ? "" : "s"));
    Diag *diag = plan_report(rules->session, subject, launcher->nodes.key, DIAG(rendezvous_count), asked, count);
    if (runners->all == asked) {
        diag_help(rules->session, diag, "write `parallelism%s %" PRId64 "`, as many as `completions`", runners->sign,
                  asked);
        write_at_once(rules, diag, runners);
    } else {
        diag_help(rules->session, diag, "write `--nnodes=%" PRId64 "`, or let %" PRId64 " %s%s run at once",
                  runners->at_once, asked, runners->what, asked == 1 ? "" : "s");
    }
}

static void check_count(const Rules *rules, const Subject *subject, const PlanLauncher *launcher,
                        const Runners *runners) {
    const int64_t asked = launcher_number(launcher, &launcher->nodes);
    if (asked > runners->at_once) {
        say_count(rules, subject, launcher, asked, runners);
    }
}

// ---- pods that ask themselves ----------------------------------------------------------------------------------------

// A place that is the pod's own in each pod.
typedef struct {
    const char *host; // NULL: there is none, or it may be that of one pod
    Span span;
} OwnHost;

static const char STANDALONE[] = "--standalone";

// Whether a text is the host, perhaps with a port: `localhost-train` and `localhost.example.com` are others.
static bool is_host(Str text, const char *host) {
    const char after = str_at(text, strlen(host));
    return str_starts_with(text, str_of(host)) && !char_is_of_name(after) && after != '-' &&
           (after != '.' || host[0] == '$');
}

// The host of an option of torchrun, by a variable of the container too.
static OwnHost own_host(const Rules *rules, const PlanLauncher *launcher, const PlanField *field) {
    static const char *const HOSTS[] = { "localhost", "127.0.0.1", "0.0.0.0", "$(hostname)" };
    const PlanField value = launcher_value(launcher, field);
    for (size_t i = 0; i < COUNT_OF(HOSTS); i++) {
        if (is_host(value.text, HOSTS[i])) {
            const Span place = value.is_own ? launcher_part(rules->session, value.span, str_of(HOSTS[i])) : value.span;
            return (OwnHost){ .host = HOSTS[i], .span = place };
        }
    }
    return (OwnHost){ .host = NULL };
}

static OwnHost host_of_itself(const Rules *rules, const PlanLauncher *launcher) {
    if (launcher->standalone.state != FIELD_ABSENT) {
        return (OwnHost){ .host = STANDALONE, .span = launcher->standalone.key };
    }
    const OwnHost host = own_host(rules, launcher, &launcher->address);
    return host.host != NULL ? host : own_host(rules, launcher, &launcher->endpoint);
}

// Of pods that are made alike.
static void check_itself(const Rules *rules, const Subject *subject, const PlanLauncher *launcher, Str first) {
    const int64_t asked = launcher_number(launcher, &launcher->nodes);
    const OwnHost own =
        asked > 1 && !launcher_has_branches(launcher) ? host_of_itself(rules, launcher) : (OwnHost){ .host = NULL };
    if (own.host == NULL) {
        return;
    }
    Diag *diag = plan_report(rules->session, subject, own.span, DIAG(pod_address), STR_ARG(str_of(own.host)),
                             "in each pod that is the pod itself");
    diag_label(rules->session, diag, launcher->nodes.key, "waits for %" PRId64, asked);
    if (first.len == 0 || own.host == STANDALONE) {
        diag_help(rules->session, diag, "write the address of the pod of index 0");
    } else {
        diag_help(rules->session, diag, "write `%.*s`", STR_ARG(first));
        rule_replace_part(rules, diag, own.span, str_of(own.host), first);
    }
}

// The address of the pod of index 0 of a Job that gives its pods names; empty where it does not, or nobody knows.
static Str first_pod(const Rules *rules, const PlanObject *object, const Value *pod) {
    const Value *spec = object_get(object->fields, "spec");
    const Str subdomain = object_text(object_get(pod, "subdomain"));
    const PlanObject *service =
        subdomain.len == 0 ? NULL : pod_service(rules, subdomain, plan_namespace_of_object(object));
    const bool is_named = str_is(object->resource->type, "batch/v1/Job") && object_get(pod, "hostname") == NULL &&
                          str_is(object_text(object_get(spec, "completionMode")), "Indexed") && service != NULL &&
                          pod_service_is_headless(service) && plan_name_of_object(object).len > 0;
    return is_named ? str_format(rules->session->arena, "%.*s-0.%.*s", STR_ARG(plan_name_of_object(object)),
                                 STR_ARG(subdomain))
                    : STR_NONE;
}

static bool are_alike(const PlanObject *object) {
    return plan_object_is(object, IS_COUNTED) && object->pods.count == 1;
}

// Whether all pods meet at the same place: of some kinds always, and of pods that are made alike where they are told one
// address. A variable may be another one in each group of them.
static bool is_one_meeting(const Rules *rules, const PlanObject *object, const PlanLauncher *launcher) {
    const PlanField *const places[] = { &launcher->endpoint, &launcher->address };
    bool is_one = plan_object_is(object, MEETS);
    for (size_t i = 0; i < COUNT_OF(places) && are_alike(object); i++) {
        is_one = is_one || (places[i]->text.len > 0 && !str_has(places[i]->text, "$"));
    }
    return is_one && host_of_itself(rules, launcher).host == NULL;
}

// Pods of one rendezvous: those for which there is no place stay outside, with their GPUs. Of a range it takes more.
// source: kubeflow/training-operator v1.9.0 pkg/controller.v1/pytorch/envvar.go, the world of a job has all its
// replicas; read 2026-11-26
static void check_more(const Rules *rules, const PlanObject *object, const PlanLauncher *launcher,
                       const Runners *runners) {
    const int64_t asked = launcher_number(launcher, &launcher->nodes);
    if (asked > 1 && asked < runners->at_once && !launcher_has_branches(launcher) &&
        !str_has(launcher_value(launcher, &launcher->nodes).text, ":")) {
        say_count(rules, object->subject, launcher, asked, runners);
    }
}

void rule_rendezvous_count(const Rules *rules, const PlanObject *object) {
    const Value *all = object->kind == NULL ? NULL : plan_value_at(object->fields, workload_path(object->kind->all));
    const Runners runners = { .at_once = pods_at_once(object),
                              .all = object_int32(all, 0),
                              .what = "pod",
                              .sign = object->is_manifest ? ":" : " =",
                              .spec = object_get(object->fields, "spec") };
    for (uint32_t i = 0; runners.at_once > 0 && i < object->workloads.count; i++) {
        const PlanWorkload *workload = object->workloads.items[i];
        if (workload->is_first) {
            continue;
        }
        check_count(rules, object->subject, workload->launcher, &runners);
        if (is_one_meeting(rules, object, workload->launcher)) {
            check_more(rules, object, workload->launcher, &runners);
        }
        if (runners.at_once > 1 && are_alike(object)) {
            check_itself(rules, object->subject, workload->launcher, first_pod(rules, object, workload->pod));
        }
    }
}

// Whoever submits a job may give it another number of nodes, and then writes another command, too. How many a declared
// job has is known, one too.
void rule_definition_rendezvous(const Rules *rules, const PlanContainer *container) {
    const bool has_nodes = container->is_multi_node || container->form == FORM_DECLARED;
    const Runners runners = { .at_once = has_nodes ? field_number(&container->nodes, -1) : -1, .what = "node" };
    if (runners.at_once > 0) {
        check_count(rules, container->subject, container->launcher, &runners);
    }
}

void rule_rendezvous_of_job(const Rules *rules, const PlanJob *job) {
    if (job->eks != NULL && job->launcher == LAUNCHER_NONE && job->nodes->integer > 1) {
        check_itself(rules, job->head.subject, job->workload->launcher, STR_NONE);
    }
}

// ---- the names of pods -------------------------------------------------------------------------------------------

static bool is_service(const PlanObject *object, Str place) {
    return str_is(object->resource->type, "v1/Service") && !object->is_changed &&
           str_equal(plan_namespace_of_object(object), place);
}

static const Value *name_of(const PlanObject *object) {
    return object_get(object_get(object->fields, "metadata"), "name");
}

static void report_service(const Rules *rules, const PlanObject *object, const Value *subdomain,
                           const PlanObject *service, const char *why, const char *what) {
    Diag *diag = plan_report(rules->session, object->subject, subdomain->span, DIAG(pod_names), why);
    const Value *selector = object_get(object_get(service->fields, "spec"), "selector");
    const bool is_selector = what == NULL;
    diag_label(rules->session, diag, is_selector ? selector->span : name_of(service)->span, "%s",
               is_selector ? "other pods than these" : what);
    diag_help(rules->session, diag, "write the name of a Service with `clusterIP: None` that selects these pods");
}

static void check_subdomain(const Rules *rules, const PlanObject *object, const PlanPod *pod, const Value *subdomain) {
    const Str place = plan_namespace_of_object(object);
    const Value *labels = object_get(object_get(pod->around, "metadata"), "labels");
    const PlanObject *other = NULL; // selects the pods, under another name
    for (uint32_t i = 0; i < rules->plan->objects.count; i++) {
        const PlanObject *service = rules->plan->objects.items[i];
        if (!is_service(service, place) || name_of(service) == NULL) {
            continue;
        }
        const Value *selector = object_get(object_get(service->fields, "spec"), "selector");
        const Selection selection = pod_selection(object, selector, labels);
        if (str_equal(object_text(name_of(service)), subdomain->string)) {
            if (selection == SELECTS_NOT) {
                report_service(rules, object, subdomain, service, "its Service selects other pods", NULL);
            } else if (!pod_service_is_headless(service)) {
                report_service(rules, object, subdomain, service, "its Service is not headless",
                               "has an address of its own");
            }
            return;
        }
        other = selection == SELECTS && pod_service_is_headless(service) ? service : other;
    }
    if (other != NULL) {
        report_service(rules, object, subdomain, other, "no Service here has this name", "selects these pods");
    }
}

// A StatefulSet makes `serviceName` the subdomain of its pods. Here the Service has to be in the file.
static void check_set(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *name = object_get(spec, "serviceName");
    const Value *labels = object_get(object_get(object_get(spec, "template"), "metadata"), "labels");
    const PlanObject *service = pod_service(rules, object_text(name), plan_namespace_of_object(object));
    const Value *selector = service == NULL ? NULL : object_get(object_get(service->fields, "spec"), "selector");
    if (pod_selection(object, selector, labels) == SELECTS_NOT) {
        report_service(rules, object, name, service, "its Service selects other pods", NULL);
    }
}

void rule_pod_names(const Rules *rules, const PlanObject *object) {
    if (str_is(object->resource->type, "apps/v1/StatefulSet") && !object->is_changed) {
        check_set(rules, object);
    }
    for (uint32_t i = 0; !object->is_changed && i < object->pods.count; i++) {
        const PlanPod *pod = &object->pods.items[i];
        const Value *subdomain = object_get(pod->spec, "subdomain");
        if (object_text(subdomain).len > 0) {
            check_subdomain(rules, object, pod, subdomain);
        }
    }
}
