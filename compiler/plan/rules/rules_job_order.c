// Rules about jobs that wait for other jobs, and about jobs that are many.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"

void rule_jobs_of_cluster(const Rules *rules, const PlanJob *job) {
    for (uint32_t i = 0; i < job->depends_on.count; i++) {
        const PlanJobBefore *before = &job->depends_on.items[i];
        if (!before->is_elsewhere) {
            continue;
        }
        Diag *diag = report(rules->session, before->span, DIAG(job_elsewhere), STR_ARG(job->head.id),
                            STR_ARG(before->id), STR_ARG(before->cluster));
        diag_label(rules->session, diag, job->head.subject->name_span, "is on `%.*s`", STR_ARG(job->cluster->head.id));
        diag_help(rules->session, diag, "put both on one cluster, or submit `%.*s` when `%.*s` has ended",
                  STR_ARG(job->head.id), STR_ARG(before->id));
    }
}

// ---- circles ---------------------------------------------------------------------------------------------------------

enum { CIRCLE_MAX = 64 }; // names in a message, and how deep it looks

typedef struct {
    const PlanJob *jobs[CIRCLE_MAX];
    int count;
    const PlanJobBefore *last; // what leads back to the first
} Circle;

static bool is_on(const Circle *circle, const PlanJob *job) {
    for (int i = 0; i < circle->count; i++) {
        if (circle->jobs[i] == job) {
            return true;
        }
    }
    return false;
}

// Whether a way from the last job of the circle leads to its first. Jobs that lead nowhere are `seen`.
static bool find_way(Circle *circle, Circle *seen) {
    const PlanJob *job = circle->jobs[circle->count - 1];
    for (uint32_t i = 0; i < job->depends_on.count; i++) {
        const PlanJobBefore *before = &job->depends_on.items[i];
        const PlanJob *next = plan_job_before(job->cluster, before);
        if (next == circle->jobs[0]) {
            circle->last = before;
            return true;
        }
        if (next == NULL || circle->count == CIRCLE_MAX || seen->count == CIRCLE_MAX || is_on(circle, next) ||
            is_on(seen, next)) {
            continue;
        }
        circle->jobs[circle->count++] = next;
        if (find_way(circle, seen)) {
            return true;
        }
        circle->count--;
        seen->jobs[seen->count++] = next;
    }
    return false;
}

// Of all jobs in a circle the one that stands first in the source speaks.
static bool is_first(const Circle *circle) {
    const PlanCluster *cluster = circle->jobs[0]->cluster;
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        if (is_on(circle, cluster->jobs.items[i])) {
            return cluster->jobs.items[i] == circle->jobs[0];
        }
    }
    return false;
}

void rule_jobs_in_a_circle(const Rules *rules, const PlanJob *job) {
    Circle circle = { .jobs = { job }, .count = 1 };
    Circle seen = { .count = 0 };
    if (!find_way(&circle, &seen) || !is_first(&circle)) {
        return;
    }
    StrBuf text = { .arena = rules->session->arena };
    for (int i = 0; i < circle.count; i++) {
        strbuf_add_format(&text, "`%.*s`, ", STR_ARG(circle.jobs[i]->head.id));
    }
    strbuf_add_format(&text, "`%.*s`", STR_ARG(job->head.id));
    Diag *diag = report(rules->session, circle.last->span, DIAG(circular_jobs), STR_ARG(strbuf_str(&text)));
    diag_help(rules->session, diag, "leave one of them out of `depends_on`");
}

void rule_jobs_many(const Rules *rules, const PlanJob *job) {
    const uint32_t count = job->depends_on.count;
    if (job->cluster->batch != NULL && count > LIMIT_JOB_DEPENDENCIES_MAX) {
        Diag *diag =
            plan_report(rules->session, job->head.subject, job->depends_on.items[LIMIT_JOB_DEPENDENCIES_MAX].span,
                        DIAG(too_many_jobs), STR_ARG(job->head.id), count, LIMIT_JOB_DEPENDENCIES_MAX);
        diag_help(rules->session, diag, "put a job between that waits for some of them");
    }
}

// ---- arrays ----------------------------------------------------------------------------------------------------------

// Whether the author says how large an array may be.
static bool has_own_size(const PlanCluster *cluster) {
    for (uint32_t i = 0; cluster->slurm != NULL && i < cluster->slurm->all_settings.count; i++) {
        if (str_is(cluster->slurm->all_settings.items[i].entry->key, "MaxArraySize")) {
            return true;
        }
    }
    return false;
}

typedef struct {
    const char *who;
    int least;
    int most;
} ArrayBounds;

static ArrayBounds array_bounds(const PlanJob *job) {
    if (job->cluster->batch != NULL) {
        return (ArrayBounds){ "AWS Batch", LIMIT_JOB_ARRAY_MIN, LIMIT_JOB_ARRAY_MAX };
    }
    if (job->eks != NULL) {
        return (ArrayBounds){ "Kubernetes", 1, LIMIT_KUBERNETES_INDEXES_MAX };
    }
    return (ArrayBounds){ "Slurm", 1, LIMIT_SLURM_ARRAY_USUAL };
}

void rule_array_size(const Rules *rules, const PlanJob *job) {
    if (job->array_size == NULL) {
        return;
    }
    const ArrayBounds bounds = array_bounds(job);
    const int64_t size = job->array_size->integer;
    if (size < bounds.least || (size > bounds.most && !has_own_size(job->cluster))) {
        Arena *arena = rules->session->arena;
        Diag *diag =
            plan_report(rules->session, job->head.subject, job->array_size->span, DIAG(outside_limits), "array_size",
                        STR_ARG(value_print(arena, job->array_size)), bounds.who,
                        STR_ARG(str_format(arena, "%d", bounds.least)), STR_ARG(str_format(arena, "%d", bounds.most)));
        if (size > bounds.most && job->cluster->slurm != NULL) {
            diag_help(rules->session, diag, "write `slurm { settings = { MaxArraySize = %" PRId64 " } }` for more",
                      size);
        } else if (size == 1) {
            diag_help(rules->session, diag, "leave it out: the job runs once");
        }
    }
}

void rule_array_of_nodes(const Rules *rules, const PlanJob *job) {
    if (job->array_size == NULL || job->cluster->batch == NULL || job->nodes->integer < 2) {
        return;
    }
    Diag *diag = plan_report(rules->session, job->head.subject, job->array_size->span, DIAG(array_of_nodes),
                             STR_ARG(job->head.id), job->nodes->integer);
    diag_label(rules->session, diag, job->nodes->span, "several nodes");
    diag_help(rules->session, diag, "write `nodes = 1`, or a `job` in a `for`");
}

// An index of a Job of Kubernetes is a rank or a place in an array, and objects of others have none for an array.
void rule_array_on_eks(const Rules *rules, const PlanJob *job) {
    if (job->array_size == NULL || job->eks == NULL) {
        return;
    }
    const bool are_several = job->nodes->integer > 1;
    if (!are_several && job->eks->workload == WORKLOAD_INDEXED_JOB) {
        return;
    }
    Diag *diag = report(rules->session, job->array_size->span, DIAG(array_on_eks), STR_ARG(job->head.id),
                        are_several ? "it takes several nodes" : "it is no Job of Kubernetes");
    if (are_several) {
        diag_label(rules->session, diag, job->nodes->span, "several nodes");
        diag_help(rules->session, diag, "write `nodes = 1`, or a `job` in a `for`");
    } else if (job->launcher == LAUNCHER_MPIRUN) {
        diag_label(rules->session, diag, job->launcher_value->span, "runs in an MPIJob");
        diag_help(rules->session, diag, "write a `job` in a `for`, or take another launcher");
    } else {
        diag_label(rules->session, diag, job->eks->workload_value->span, "another object");
        diag_help(rules->session, diag, "leave `workload` out, or write a `job` in a `for`");
    }
}
