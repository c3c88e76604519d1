// Rules about the addresses at which pods of one maker look for each other, whose names follow from its own. Each maker
// takes any text for an address.
// source: Kubernetes, StatefulSets, Stable Network ID, and Jobs, Completion mode; kubernetes-sigs/jobset@08dfbdfd
// api/jobset/v1alpha2/jobset_types.go, Network, and pkg/util/placement/placement.go, GenPodName;
// kubernetes-sigs/lws@060ab4da pkg/utils/pod/pod_utils.go, AddLWSVariables, and
// api/leaderworkerset/v1/leaderworkerset_types.go, SubdomainPolicy; volcano-sh/volcano@ed72c7c8
// pkg/controllers/job/plugins/svc/svc.go, OnPodCreate; kubeflow/training-operator v1.9.0
// pkg/common/util/reconcile_generic.go, GenGeneralName; kubeflow/trainer@8c0f5059
// pkg/runtime/framework/plugins/torch/torch.go, EnforceMLPolicy; read 2026-11
#include "compiler/plan/rules/pod_address.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"

// An address that pods of a set ask for.
typedef struct {
    const Rules *rules;
    const PlanObject *object;
    PodAddress address;
    Str set;             // the name of the maker
    const char *maker;   // what it is, for messages: "JobSet"
    Str subdomain;       // that its pods have
    const Value *groups; // of pods, each with a name; NULL: the maker has none
    bool is_counted;     // how many pods there are is written here
    Str meant;           // what to write
    bool is_sure;        // it takes the place of the address, and nothing else can be meant
} Asked;

static Str part_of(const Asked *asked, int index) {
    return pod_host_part(asked->address.host, index);
}

static Diag *say(const Asked *asked, const char *why) {
    Diag *diag = plan_report(asked->rules->session, asked->object->subject, asked->address.span, DIAG(pod_address),
                             "pods", STR_ARG(asked->address.host), why);
    rule_write_at(asked->rules, diag, asked->is_sure ? asked->address.span : SPAN_NONE, asked->address.host,
                  asked->meant);
    return diag;
}

// The same pod, below the subdomain that it has.
static Str in_subdomain(const Asked *asked) {
    return str_format(asked->rules->session->arena, "%.*s.%.*s", STR_ARG(part_of(asked, 0)), STR_ARG(asked->subdomain));
}

// Whether a part of the address is another namespace than the one that is written.
static bool is_other_place(const Asked *asked, Str part) {
    const bool is_written = object_get(object_get(asked->object->fields, "metadata"), "namespace") != NULL;
    const Str place = plan_namespace_of_object(asked->object);
    return is_written && part.len > 0 && place.len > 0 && !str_equal(part, place);
}

static const char OTHER_PLACE[] = "their namespace is another one";

// What is wrong behind the name of a pod of the set; NULL: nothing, or another Service may be meant.
static const char *fault_of_domain(const Asked *asked) {
    const Str place = plan_namespace_of_object(asked->object);
    const Str second = part_of(asked, 1);
    if (second.len == 0) {
        const bool is_service = pod_service(asked->rules, part_of(asked, 0), place) != NULL;
        return is_service ? NULL : "a pod has no address without its subdomain";
    }
    if (!str_equal(second, asked->subdomain)) {
        const bool may_be = str_equal(second, place) || pod_service(asked->rules, second, place) != NULL;
        return may_be ? NULL : "their subdomain is another one";
    }
    return is_other_place(asked, part_of(asked, 2)) ? OTHER_PLACE : NULL;
}

// ---- JobSet --------------------------------------------------------------------------------------------------------

// Where `-NUMBER` at the end of a text begins, and the number; the end where there is none.
static size_t number_before(Str text, size_t end, int64_t *number) {
    size_t at = end;
    *number = 0;
    while (at > 0 && char_is_digit(text.data[at - 1])) {
        at--;
    }
    if (at == end || end - at > 9 || at < 2 || text.data[at - 1] != '-') {
        return end;
    }
    for (size_t i = at; i < end; i++) {
        *number = *number * 10 + (text.data[i] - '0');
    }
    return at - 1;
}

// `SET-JOB-1-2`: the index of the job, and that of the pod.
typedef struct {
    Str name; // "SET-JOB"; empty: the host is no such pod
    int64_t job;
    int64_t pod;
} PodOfSet;

static PodOfSet pod_of_set(Str first) {
    PodOfSet pod = { .name = STR_NONE };
    const size_t behind_job = number_before(first, first.len, &pod.pod);
    const size_t end = number_before(first, behind_job, &pod.job);
    if (behind_job < first.len && end < behind_job) {
        pod.name = str_slice(first, 0, end);
    }
    return pod;
}

// `JOB` of `SET-JOB`; empty where it is another set's.
static Str job_of(Str name, Str set) {
    const bool is_own = str_starts_with(name, set) && str_at(name, set.len) == '-';
    return is_own ? str_slice(name, set.len + 1, name.len) : STR("");
}

// The job of this name. `*may_be` where the set may have it though none is found, `*last` is a name that it has.
static const Value *find_job(const Value *jobs, Str name, bool *may_be, Str *last) {
    const Value *found = NULL;
    *may_be = object_count(jobs) == 0;
    for (uint32_t i = 0; i < object_count(jobs); i++) {
        const Str own = object_text(object_get(jobs->list.items[i], "name"));
        *may_be = *may_be || own.len == 0;
        found = str_equal(own, name) ? jobs->list.items[i] : found;
        *last = own;
    }
    return found;
}

// Another set of the file, whose pods may be called so.
static bool is_of_other_set(const Rules *rules, const PlanObject *object, Str name) {
    for (uint32_t i = 0; i < rules->plan->objects.count; i++) {
        const PlanObject *other = rules->plan->objects.items[i];
        if (other != object && str_equal(other->resource->type, object->resource->type) &&
            job_of(name, plan_name_of_object(other)).len > 0) {
            return true;
        }
    }
    return false;
}

// Only pods with an index have a name that others know (Kubernetes, Jobs, Completion mode, read 2026-11).
static const char NOT_INDEXED[] = "the job's pods have no index, and no name of their own";

// The indices of a job and of its pods are below their numbers.
static const char *fault_of_index(const Value *job, const PodOfSet *pod) {
    const Value *spec = object_get(object_get(job, "template"), "spec");
    const Value *completions = object_get(spec, "completions");
    const int64_t jobs = object_int32(object_get(job, "replicas"), 1);
    if (str_is(object_text(object_get(spec, "completionMode")), "NonIndexed")) {
        return NOT_INDEXED;
    }
    const int64_t pods = object_int32(completions == NULL ? object_get(spec, "parallelism") : completions, 1);
    if (jobs >= 0 && pod->job >= jobs) {
        return "the JobSet has no job of this index";
    }
    return pods >= 0 && pod->pod >= pods ? "the job has no pod of this index" : NULL;
}

static void check_pod_of_set(const Asked *asked, const PodOfSet *pod) {
    Arena *arena = asked->rules->session->arena;
    const Value *jobs = asked->groups;
    const Str name = job_of(pod->name, asked->set);
    bool may_be = false;
    Str last = STR("");
    const Value *job = find_job(jobs, name, &may_be, &last);
    Asked better = *asked;
    better.is_sure = job != NULL || object_count(jobs) == 1;
    better.meant = str_format(arena, "%.*s-%.*s-0-0.%.*s", STR_ARG(asked->set), STR_ARG(job == NULL ? last : name),
                              STR_ARG(asked->subdomain));
    if (name.len == 0) {
        const bool is_own =
            asked->address.is_meeting && last.len > 0 && part_of(asked, 1).len > 0 &&
            !is_of_other_set(asked->rules, asked->object, pod->name) &&
            pod_service(asked->rules, part_of(asked, 1), plan_namespace_of_object(asked->object)) == NULL;
        if (is_own) {
            say(&better, str_c(arena, str_format(arena, "no pod of this %s is called so", asked->maker)));
        }
    } else if (job == NULL && !may_be && str_equal(part_of(asked, 1), asked->subdomain)) {
        say(&better, str_c(arena, str_format(arena, "the %s has no job `%.*s`", asked->maker, STR_ARG(name))));
    } else if (job != NULL && asked->address.is_meeting) {
        const char *domain = fault_of_domain(asked);
        const char *why = domain == NULL && asked->is_counted ? fault_of_index(job, pod) : domain;
        better.is_sure = why != NOT_INDEXED;
        better.meant = why == NOT_INDEXED ? STR("completionMode: Indexed")
                       : domain != NULL   ? in_subdomain(asked)
                                          : better.meant;
        Diag *diag = why == NULL ? NULL : say(&better, why);
        const Value *mode = object_get(object_get(object_get(job, "template"), "spec"), "completionMode");
        if (diag != NULL && why == NOT_INDEXED) {
            rule_replace(asked->rules, diag, mode->span, object_text(mode), STR("Indexed"));
        }
    }
}

static void check_set_of_jobs(Asked *asked, const Value *network) {
    const Value *subdomain = object_get(network, "subdomain");
    asked->subdomain = subdomain == NULL ? asked->set : object_text(subdomain);
    const PodOfSet pod = pod_of_set(part_of(asked, 0));
    if (asked->set.len > 0 && asked->subdomain.len > 0 && pod.name.len > 0) {
        check_pod_of_set(asked, &pod);
    }
}

static void check_job_set(Asked *asked) {
    const Value *spec = object_get(asked->object->fields, "spec");
    asked->groups = object_get(spec, "replicatedJobs");
    asked->is_counted = true;
    check_set_of_jobs(asked, object_get(spec, "network"));
}

// The one TrainJob that takes a runtime, of which the Trainer makes a JobSet of the job's name; NULL: none here, or several.
static const PlanObject *job_of_runtime(const Asked *asked) {
    const PlanObject *found = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < asked->rules->plan->objects.count; i++) {
        const PlanObject *object = asked->rules->plan->objects.items[i];
        const bool is_user = pod_job_takes(object, asked->object);
        found = is_user ? object : found;
        count += is_user;
    }
    return count == 1 ? found : NULL;
}

// How many pods there are, the TrainJob says.
static void check_runtime(Asked *asked) {
    const Value *template = object_get(object_get(asked->object->fields, "spec"), "template");
    const Value *spec = object_get(template, "spec");
    const PlanObject *job = job_of_runtime(asked);
    if (job != NULL) {
        asked->set = plan_name_of_object(job);
        asked->groups = object_get(spec, "replicatedJobs");
        check_set_of_jobs(asked, object_get(spec, "network"));
    }
}

// ---- LeaderWorkerSet -----------------------------------------------------------------------------------------------

// Leaders are `SET-0`, `SET-1` and so on, one for each group.
static void check_worker_set(Asked *asked) {
    const Value *spec = object_get(asked->object->fields, "spec");
    const Value *policy = object_get(object_get(spec, "networkConfig"), "subdomainPolicy");
    const bool is_shared = policy == NULL || str_is(object_text(policy), "Shared");
    asked->subdomain = is_shared ? asked->set : part_of(asked, 0);
    asked->meant = STR("$(LWS_LEADER_ADDRESS)");
    asked->is_sure = true;
    if (!asked->address.is_meeting || pod_index(asked->address.host, asked->set) < 0 ||
        (policy != NULL && object_text(policy).len == 0)) {
        return;
    }
    const char *why = fault_of_domain(asked);
    if (why == NULL && object_int32(object_get(spec, "replicas"), 1) > 1) {
        why = "each group has a leader of its own";
    }
    if (why != NULL) {
        say(asked, why);
    }
}

// ---- StatefulSet ---------------------------------------------------------------------------------------------------

// Its pods are `SET-0`, `SET-1` and so on, below its Service.
static void check_stateful_set(Asked *asked) {
    const Value *spec = object_get(asked->object->fields, "spec");
    const int64_t index = pod_index(asked->address.host, asked->set);
    const int64_t pods = object_int32(object_get(spec, "replicas"), 1);
    asked->subdomain = object_text(object_get(spec, "serviceName"));
    if (!asked->address.is_meeting || index < 0 || asked->subdomain.len == 0) {
        return;
    }
    const bool is_beyond = object_get(spec, "ordinals") == NULL && pods >= 0 && index >= pods;
    const char *domain = fault_of_domain(asked);
    const char *why = domain != NULL ? domain : is_beyond ? "the set has no pod of this index" : NULL;
    if (why != NULL) {
        asked->is_sure = true;
        asked->meant = domain != NULL ? in_subdomain(asked)
                                      : str_format(asked->rules->session->arena, "%.*s-0.%.*s", STR_ARG(asked->set),
                                                   STR_ARG(asked->subdomain));
        say(asked, why);
    }
}

// ---- groups of pods ------------------------------------------------------------------------------------------------

// Of a pod that is called `MAKER-GROUP-INDEX`.
typedef struct {
    Str name;
    int64_t index;
} PodOfGroup;

static PodOfGroup pod_of_group(const Asked *asked) {
    PodOfGroup pod = { .name = STR_NONE };
    const Str first = part_of(asked, 0);
    const size_t end = number_before(first, first.len, &pod.index);
    if (end < first.len) {
        pod.name = job_of(str_slice(first, 0, end), asked->set);
    }
    return pod;
}

static uint32_t group_count(const Asked *asked) {
    return asked->groups->kind == VALUE_LIST ? asked->groups->list.count : asked->groups->map.count;
}

// Groups stand in a list, or in a map by their names, which pods have in small letters.
static Str name_of_group(const Asked *asked, uint32_t i) {
    return asked->groups->kind == VALUE_LIST
               ? object_text(object_get(asked->groups->list.items[i], "name"))
               : str_small(asked->rules->session->arena, asked->groups->map.entries[i].key);
}

// The group of a pod; NULL: there is none. `*may_be`: one whose name is not known may be it.
static const Value *find_group(const Asked *asked, Str name, bool *may_be) {
    const Value *found = NULL;
    *may_be = group_count(asked) == 0;
    for (uint32_t i = 0; i < group_count(asked); i++) {
        const Str own = name_of_group(asked, i);
        *may_be = *may_be || own.len == 0;
        if (str_equal(own, name)) {
            found =
                asked->groups->kind == VALUE_LIST ? asked->groups->list.items[i] : asked->groups->map.entries[i].value;
        }
    }
    return found;
}

// What is wrong in the name of the pod; NULL: nothing, or another thing may be called so.
static const char *fault_of_group(const Asked *asked, const Value *group, bool may_be, int64_t index) {
    if (group != NULL) {
        const int64_t pods = object_int32(object_get(group, "replicas"), 1);
        return pods >= 0 && index >= pods ? "it has no pod of this index" : NULL;
    }
    const Str first = part_of(asked, 0);
    const bool is_else = may_be || is_of_other_set(asked->rules, asked->object, first) ||
                         pod_service(asked->rules, first, plan_namespace_of_object(asked->object)) != NULL;
    return is_else ? NULL : "no pod of this job is called so";
}

// Where nothing has a subdomain, the whole address is that of a Service. Which of several groups has the pod of rank 0,
// nobody knows.
static void check_group(Asked *asked, const char *domain) {
    const PodOfGroup pod = pod_of_group(asked);
    if (!asked->address.is_meeting || asked->groups == NULL || pod.name.len == 0) {
        return;
    }
    bool may_be = false;
    const Value *group = find_group(asked, pod.name, &may_be);
    const char *name = fault_of_group(asked, group, may_be, pod.index);
    const bool has_domain = asked->subdomain.len > 0;
    if (name == NULL && domain == NULL) {
        return;
    }
    asked->is_sure = group != NULL || group_count(asked) == 1;
    asked->meant = name == NULL ? has_domain ? in_subdomain(asked) : part_of(asked, 0)
                                : str_format(asked->rules->session->arena, "%.*s-%.*s-0%s%.*s", STR_ARG(asked->set),
                                             STR_ARG(group != NULL ? pod.name : name_of_group(asked, 0)),
                                             has_domain ? "." : "", STR_ARG(asked->subdomain));
    say(asked, name != NULL ? name : domain);
}

// Whether a template gives its pods another name than theirs.
static bool has_own_names(const PlanObject *object) {
    bool has = false;
    for (uint32_t i = 0; i < object->pods.count; i++) {
        has = has || object_get(object->pods.items[i].spec, "hostname") != NULL ||
              object_get(object->pods.items[i].spec, "subdomain") != NULL;
    }
    return has;
}

// Its pods have names below that of the job.
static void check_volcano(Asked *asked) {
    const Value *spec = object_get(asked->object->fields, "spec");
    const Value *tasks = object_get(spec, "tasks");
    if (!pod_has_volcano_names(object_get(spec, "plugins")) || has_own_names(asked->object) || asked->set.len == 0) {
        return;
    }
    asked->groups = tasks != NULL && tasks->kind == VALUE_LIST ? tasks : NULL;
    asked->subdomain = asked->set;
    check_group(asked, fault_of_domain(asked));
}

// Each of its pods has a Service of its name, in the namespace of the job.
static void check_replicas(Asked *asked) {
    const Value *spec = object_get(asked->object->fields, "spec");
    const Value *groups = object_get(spec, "pytorchReplicaSpecs");
    asked->groups = groups != NULL && groups->kind == VALUE_MAP ? groups : NULL;
    check_group(asked, is_other_place(asked, part_of(asked, 1)) ? OTHER_PLACE : NULL);
}

// --------------------------------------------------------------------------------------------------------------------

typedef void CheckAddress(Asked *asked);

static const struct {
    const char *type;
    const char *maker;
    CheckAddress *check;
} MAKERS[] = {
    { "jobset.x-k8s.io/v1alpha2/JobSet", "JobSet", check_job_set },
    { "leaderworkerset.x-k8s.io/v1/LeaderWorkerSet", "LeaderWorkerSet", check_worker_set },
    { "apps/v1/StatefulSet", "StatefulSet", check_stateful_set },
    { "batch.volcano.sh/v1alpha1/Job", "Job", check_volcano },
    { "kubeflow.org/v1/PyTorchJob", "PyTorchJob", check_replicas },
    { "trainer.kubeflow.org/v1alpha1/TrainingRuntime", "TrainJob", check_runtime },
    { "trainer.kubeflow.org/v1alpha1/ClusterTrainingRuntime", "TrainJob", check_runtime },
};

static void check_workload(const Asked *asked, const PlanWorkload *workload, CheckAddress *check) {
    const PodAddresses addresses = pod_addresses(asked->rules, workload->launcher);
    for (uint32_t i = 0; i < addresses.count; i++) {
        Asked one = *asked;
        one.address = addresses.items[i];
        check(&one);
    }
}

void rule_set_of_address(const Rules *rules, const PlanObject *object) {
    for (size_t i = 0; i < COUNT_OF(MAKERS); i++) {
        const Asked asked = {
            .rules = rules, .object = object, .set = plan_name_of_object(object), .maker = MAKERS[i].maker
        };
        const bool is_made = str_is(object->resource->type, MAKERS[i].type);
        for (uint32_t k = 0; is_made && k < object->workloads.count; k++) {
            if (!object->workloads.items[k]->is_first) {
                check_workload(&asked, object->workloads.items[k], MAKERS[i].check);
            }
        }
    }
}

// ---- a job of infra.dt ---------------------------------------------------------------------------------------------

// The pods of a job that dtc makes are `JOB-0`, `JOB-1` and so on below the name of the job.
static const char *fault_of_own(const Rules *rules, const PlanJob *job, Str host, int64_t index) {
    const Str second = pod_host_part(host, 1);
    if (index >= job->nodes->integer) {
        return "the job has no pod of this index";
    }
    if (second.len == 0) {
        return "a pod has no address without its subdomain";
    }
    const bool is_own = str_equal(second, job->head.id);
    for (uint32_t i = 0; !is_own && i < rules->plan->objects.count; i++) {
        if (str_equal(plan_name_of_object(rules->plan->objects.items[i]), second)) {
            return NULL; // a Service or a namespace of the author's
        }
    }
    return is_own ? NULL : "their subdomain is another one";
}

void rule_address_of_job(const Rules *rules, const PlanJob *job) {
    if (job->eks == NULL || job->eks->workload != WORKLOAD_INDEXED_JOB || job->launcher != LAUNCHER_NONE) {
        return;
    }
    const PodAddresses addresses = pod_addresses_of_words(rules, job->workload->launcher);
    for (uint32_t i = 0; i < addresses.count; i++) {
        const Str host = addresses.items[i].host;
        const int64_t index = pod_index(host, job->head.id);
        const char *why = index < 0 ? NULL : fault_of_own(rules, job, host, index);
        if (why != NULL) {
            Diag *diag = plan_report(rules->session, job->head.subject, addresses.items[i].span, DIAG(pod_address),
                                     "pods", STR_ARG(host), why);
            diag_help(rules->session, diag, "write `%.*s-0.%.*s`", STR_ARG(job->head.id), STR_ARG(job->head.id));
            return;
        }
    }
}
