// Rules about ComputeDomains: jobs and other pods claim the channel of one that is for as many nodes.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/base/str_map.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/compute_domain.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"
#include "compiler/plan/model/pod_type.h"

// ---- the channel of a job --------------------------------------------------------------------------------------

// Where the pods of a job have their specification; `pods` is NULL where a claim takes more than one patch.
typedef struct {
    const char *kind;
    const char *pods;
} WorkloadRow;

static const WorkloadRow WORKLOADS[WORKLOAD_COUNT] = {
    [WORKLOAD_INDEXED_JOB] = { "Job", "spec.template.spec" },
    [WORKLOAD_VOLCANO_JOB] = { "Job", "spec.tasks[0].template.spec" },
    [WORKLOAD_MPI_JOB] = { "MPIJob", "spec.mpiReplicaSpecs.Worker.template.spec" },
    [WORKLOAD_TRAIN_JOB] = { "Job", NULL },
};

static bool patches_claims(const PlanJob *job) {
    bool does = false;
    for (uint32_t i = 0; i < job->head.part->patches.count; i++) {
        does = does || str_has(job->head.part->patches.items[i].path, "resourceClaims");
    }
    return does;
}

static void help_channel(const Rules *rules, Diag *diag, const PlanJob *job, const PlanObject *domain) {
    const Value *template = domain == NULL ? NULL : plan_domain_template(domain);
    const WorkloadRow *row = &WORKLOADS[job->eks->workload];
    if (template == NULL) {
        diag_help(rules->session, diag, "write the ComputeDomain without `namespace`: dtc's jobs are in `default`");
    } else if (row->pods == NULL || template->kind != VALUE_STRING) {
        diag_help(rules->session, diag, "leave one ComputeDomain in the cluster: the pods then claim its channel");
    } else {
        const Str pod = str_format(rules->session->arena, "%s/%.*s.%s", row->kind, STR_ARG(job->head.id), row->pods);
        diag_help(rules->session, diag,
                  "write `patch k8s { \"%.*s.resourceClaims\" = [{ name = \"channel\", resourceClaimTemplateName = "
                  "\"%.*s\" }], \"%.*s.containers[0].resources.claims\" = [{ name = \"channel\" }] }` into the job",
                  STR_ARG(pod), STR_ARG(template->string), STR_ARG(pod));
    }
}

static bool has_domain(const PlanCluster *cluster) {
    bool has = false;
    for (uint32_t i = 0; cluster->eks != NULL && i < cluster->eks->objects.count; i++) {
        has = has || plan_domain_template(cluster->eks->objects.items[i]) != NULL;
    }
    return has;
}

// How many nodes it waits for; NULL: for none, or nobody knows.
static const Value *nodes_of_domain(const PlanObject *domain) {
    const Value *count = object_get(object_get(domain->fields, "spec"), "numNodes");
    return !domain->is_changed && object_int32(count, -1) > 0 ? count : NULL;
}

// Whether all jobs that claim the channel of a cluster's one ComputeDomain have as many nodes.
static bool are_as_large(const PlanJob *job) {
    bool are = true;
    for (uint32_t i = 0; i < job->cluster->jobs.count; i++) {
        const PlanJob *other = job->cluster->jobs.items[i];
        are = are && (!plan_job_wants_channel(other) || other->nodes->integer == job->nodes->integer);
    }
    return are;
}

static void check_domain_nodes(const Rules *rules, const PlanJob *job, const PlanObject *domain) {
    const Value *count = nodes_of_domain(domain);
    if (count == NULL || count->integer == job->nodes->integer) {
        return;
    }
    Diag *diag = plan_report(rules->session, domain->subject, count->span, DIAG(domain_nodes),
                             STR_ARG(plan_name_of_object(domain)), count->integer, job->nodes->integer);
    diag_label(rules->session, diag, job->nodes->span, "the nodes of `%.*s`", STR_ARG(job->head.id));
    if (are_as_large(job)) {
        diag_help(rules->session, diag, "write `numNodes = %" PRId64 "`, or 0 while the driver has its default gates",
                  job->nodes->integer);
    } else {
        diag_help(rules->session, diag,
                  "write `numNodes = 0`: while the driver has its default gates, nothing waits for the number");
    }
}

void rule_channel(const Rules *rules, const PlanJob *job) {
    if (!plan_job_wants_channel(job) || !has_domain(job->cluster) || patches_claims(job)) {
        return;
    }
    const PlanObject *domain = NULL;
    const uint32_t count = plan_job_domains(job, &domain);
    if (count == 1) {
        check_domain_nodes(rules, job, domain);
        return;
    }
    Arena *arena = rules->session->arena;
    const Str id = job->cluster->head.id;
    const Str why = count == 0 ? str_format(arena, "`%.*s` has none in the namespace `default`", STR_ARG(id))
                               : str_format(arena, "`%.*s` has %" PRIu32 " of them", STR_ARG(id), count);
    Diag *diag =
        plan_report(rules->session, job->head.subject, job->nodes->span, DIAG(imex_channel),
                    STR_ARG(str_format(arena, "%s `%.*s`", WORKLOADS[job->eks->workload].kind, STR_ARG(job->head.id))),
                    STR_ARG(STR("they claim none"))); // in the words of the rule over files, which is silent then
    diag_primary_label(rules->session, diag, "%.*s", STR_ARG(why));
    diag_label(rules->session, diag, job->group->instance_value->span, "shares NVLink between its instances");
    help_channel(rules, diag, job, domain);
    diag_help(rules->session, diag, "where the job wants no NVLink between nodes, write `allow DT1874, \"…\"`");
}

// ---- the pods of a manifest ------------------------------------------------------------------------------------

// Who claims the channel of a template.
typedef struct {
    const PlanObject *object; // the last that claims
    const Value *pod;         // its last
    uint32_t objects;
    int64_t pods;    // of them; -1: not known
    bool fill_nodes; // each has a node to itself
} Claimers;

// Objects of one file, or of one cluster.
typedef struct {
    const PlanObject *const *items;
    uint32_t count;
} Objects;

static Str key_of_claim(Arena *arena, const PlanObject *object, Str template) {
    return str_format(arena, "%.*s\n%.*s", STR_ARG(plan_namespace_of_object(object)), STR_ARG(template));
}

static void add_claimer(Claimers *claimers, const PlanObject *object, const Value *pod) {
    const Value *gpus = NULL;
    const int64_t pods = object->is_changed ? -1 : pods_of_template(object, pod);
    claimers->objects += claimers->object != object;
    claimers->object = object;
    claimers->pod = pod;
    claimers->pods = pods < 0 || claimers->pods < 0 ? -1 : claimers->pods + pods;
    claimers->fill_nodes = claimers->fill_nodes && pod_asks(pod, STR("nvidia.com/gpu"), &gpus) == ULTRASERVER_NODE_GPUS;
}

static void add_claims(StrMap *by_claim, const PlanObject *object, const Value *pod) {
    const Value *list = object_get(pod, "resourceClaims");
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Str template = object_text(object_get(list->list.items[i], "resourceClaimTemplateName"));
        const Str key = key_of_claim(by_claim->arena, object, template);
        Claimers *claimers = str_map_get_mutable(by_claim, key);
        if (claimers == NULL) {
            claimers = arena_new(by_claim->arena, Claimers);
            *claimers = (Claimers){ .fill_nodes = true };
            str_map_add(by_claim, key, claimers);
        }
        if (claimers->pod != pod) {
            add_claimer(claimers, object, pod);
        }
    }
}

// Several objects may share the nodes, or run one after the other.
static void check_claimers(const Rules *rules, const StrMap *by_claim, const PlanObject *domain) {
    const Value *count = nodes_of_domain(domain);
    const Str template = object_text(plan_domain_template(domain));
    if (count == NULL || template.len == 0 || plan_namespace_of_object(domain).len == 0) {
        return;
    }
    const Claimers *claimers = str_map_get(by_claim, key_of_claim(by_claim->arena, domain, template));
    if (claimers == NULL || claimers->objects != 1 || claimers->pods < 1 || claimers->pods == count->integer ||
        (claimers->pods > count->integer && !claimers->fill_nodes)) {
        return;
    }
    Diag *diag = plan_report(rules->session, domain->subject, count->span, DIAG(domain_nodes),
                             STR_ARG(plan_name_of_object(domain)), count->integer, claimers->pods);
    diag_label(rules->session, diag, claimers->object->resource->span, "claims its channel");
    diag_help(rules->session, diag,
              domain->is_manifest ? "write `numNodes: %" PRId64 "`, or 0 while the driver has its default gates"
                                  : "write `numNodes = %" PRId64 "`, or 0 while the driver has its default gates",
              claimers->pods);
}

static void check_domains(const Rules *rules, Objects objects) {
    StrMap by_claim = { .arena = rules->session->arena };
    for (uint32_t i = 0; i < objects.count; i++) {
        for (uint32_t k = 0; k < objects.items[i]->pods.count; k++) {
            add_claims(&by_claim, objects.items[i], objects.items[i]->pods.items[k].spec);
        }
    }
    for (uint32_t i = 0; i < objects.count; i++) {
        if (plan_domain_template(objects.items[i]) != NULL) {
            check_claimers(rules, &by_claim, objects.items[i]);
        }
    }
}

static bool has_job_of_domain(const PlanCluster *cluster) {
    bool has = false;
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        has = has || plan_job_domain(cluster->jobs.items[i]) != NULL;
    }
    return has;
}

void rule_domains(const Rules *rules) {
    check_domains(rules, (Objects){ rules->plan->objects.items, rules->plan->objects.count });
    for (uint32_t i = 0; i < rules->plan->clusters.count; i++) {
        const PlanCluster *cluster = rules->plan->clusters.items[i];
        if (cluster->eks != NULL && !has_job_of_domain(cluster)) {
            check_domains(rules, (Objects){ cluster->eks->objects.items, cluster->eks->objects.count });
        }
    }
}
