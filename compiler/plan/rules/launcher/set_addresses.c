// Rules about the addresses at which pods of a JobSet and of a LeaderWorkerSet look for each other. Both sets make the
// Service of their pods, and both take any text for an address.
// source: kubernetes-sigs/jobset@08dfbdfd api/jobset/v1alpha2/jobset_types.go, Network, and pkg/util/placement/placement.go,
// GenPodName; kubernetes-sigs/lws@060ab4da pkg/utils/pod/pod_utils.go, AddLWSVariables, and
// api/leaderworkerset/v1/leaderworkerset_types.go, SubdomainPolicy; read 2026-11
#include "compiler/plan/rules/launcher/pod_address.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

// An address that pods of a set ask for.
typedef struct {
    const Rules *rules;
    const PlanObject *object;
    PodAddress address;
    Str set;
    Str subdomain; // that its pods have
    Str meant;     // what to write in place of the address
} Asked;

static Str part_of(const Asked *asked, int index) {
    return pod_host_part(asked->address.host, index);
}

static void say(const Asked *asked, const char *why) {
    Diag *diag = plan_report(asked->rules->session, asked->object->subject, asked->address.span, DIAG(pod_address),
                             STR_ARG(asked->address.host), why);
    diag_help(asked->rules->session, diag, "write `%.*s`", STR_ARG(asked->meant));
}

// What is wrong behind the name of a pod of the set; NULL: nothing, or another Service may be meant.
static const char *fault_of_domain(const Asked *asked) {
    const Str place = plan_namespace_of_object(asked->object);
    const Str second = part_of(asked, 1);
    const Str third = part_of(asked, 2);
    const bool has_place = object_get(object_get(asked->object->fields, "metadata"), "namespace") != NULL;
    if (second.len == 0) {
        const bool is_service = pod_service(asked->rules, part_of(asked, 0), place) != NULL;
        return is_service ? NULL : "a pod has no address without its subdomain";
    }
    if (!str_equal(second, asked->subdomain)) {
        const bool may_be = str_equal(second, place) || pod_service(asked->rules, second, place) != NULL;
        return may_be ? NULL : "their subdomain is another one";
    }
    const bool is_elsewhere = third.len > 0 && has_place && place.len > 0 && !str_equal(third, place);
    return is_elsewhere ? "their namespace is another one" : NULL;
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
    const Value *jobs = object_get(object_get(asked->object->fields, "spec"), "replicatedJobs");
    const Str name = job_of(pod->name, asked->set);
    bool may_be = false;
    Str last = STR("");
    const Value *job = find_job(jobs, name, &may_be, &last);
    Asked better = *asked;
    better.meant = str_format(arena, "%.*s-%.*s-0-0.%.*s", STR_ARG(asked->set), STR_ARG(job == NULL ? last : name),
                              STR_ARG(asked->subdomain));
    if (name.len == 0) {
        const bool is_own =
            asked->address.is_meeting && last.len > 0 && part_of(asked, 1).len > 0 &&
            !is_of_other_set(asked->rules, asked->object, pod->name) &&
            pod_service(asked->rules, part_of(asked, 1), plan_namespace_of_object(asked->object)) == NULL;
        if (is_own) {
            say(&better, "no pod of this JobSet is called so");
        }
    } else if (job == NULL && !may_be && str_equal(part_of(asked, 1), asked->subdomain)) {
        say(&better, str_c(arena, str_format(arena, "the JobSet has no job `%.*s`", STR_ARG(name))));
    } else if (job != NULL && asked->address.is_meeting) {
        const char *domain = fault_of_domain(asked);
        const char *why = domain == NULL ? fault_of_index(job, pod) : domain;
        better.meant = why == NOT_INDEXED ? STR("completionMode: Indexed") : better.meant;
        if (why != NULL) {
            say(&better, why);
        }
    }
}

static void check_job_set(const Rules *rules, const PlanObject *object, const PodAddress *address) {
    const Value *network = object_get(object_get(object->fields, "spec"), "network");
    const Value *subdomain = object_get(network, "subdomain");
    const Str set = plan_name_of_object(object);
    const Asked asked = { .rules = rules,
                          .object = object,
                          .address = *address,
                          .set = set,
                          .subdomain = subdomain == NULL ? set : object_text(subdomain) };
    const PodOfSet pod = pod_of_set(pod_host_part(address->host, 0));
    if (set.len > 0 && asked.subdomain.len > 0 && pod.name.len > 0) {
        check_pod_of_set(&asked, &pod);
    }
}

// ---- LeaderWorkerSet -----------------------------------------------------------------------------------------------

// Leaders are `SET-0`, `SET-1` and so on, one for each group.
static void check_worker_set(const Rules *rules, const PlanObject *object, const PodAddress *address) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *policy = object_get(object_get(spec, "networkConfig"), "subdomainPolicy");
    const Str set = plan_name_of_object(object);
    const Str leader = pod_host_part(address->host, 0);
    const bool is_shared = policy == NULL || str_is(object_text(policy), "Shared");
    const Asked asked = { .rules = rules,
                          .object = object,
                          .address = *address,
                          .set = set,
                          .subdomain = is_shared ? set : leader,
                          .meant = STR("$(LWS_LEADER_ADDRESS)") };
    if (!address->is_meeting || pod_index(address->host, set) < 0 || (policy != NULL && object_text(policy).len == 0)) {
        return;
    }
    const char *why = fault_of_domain(&asked);
    if (why == NULL && object_int32(object_get(spec, "replicas"), 1) > 1) {
        why = "each group has a leader of its own";
    }
    if (why != NULL) {
        say(&asked, why);
    }
}

// --------------------------------------------------------------------------------------------------------------------

typedef void CheckAddress(const Rules *rules, const PlanObject *object, const PodAddress *address);

static const struct {
    const char *type;
    CheckAddress *check;
} SETS[] = {
    { "jobset.x-k8s.io/v1alpha2/JobSet", check_job_set },
    { "leaderworkerset.x-k8s.io/v1/LeaderWorkerSet", check_worker_set },
};

static void check_pod(const Rules *rules, const PlanObject *object, const Value *pod, CheckAddress *check) {
    const Value *containers = object_get(pod, "containers");
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const PodAddresses addresses = pod_addresses(rules, containers->list.items[i]);
        for (uint32_t k = 0; k < addresses.count; k++) {
            check(rules, object, &addresses.items[k]);
        }
    }
}

void rule_set_of_address(const Rules *rules, const PlanObject *object) {
    for (size_t i = 0; !object->is_changed && i < COUNT_OF(SETS); i++) {
        const bool is_set = str_is(object->resource->type, SETS[i].type);
        for (uint32_t k = 0; is_set && k < object->pods.count; k++) {
            check_pod(rules, object, object->pods.items[k].spec, SETS[i].check);
        }
    }
}
