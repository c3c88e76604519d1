// Rules about jobs that wait for other jobs, and about jobs that are many.
#include "compiler/plan/rules/rule_field.h"

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

// A job on the way from one to another, and how many of those that it waits for have been looked at.
typedef struct {
    const PlanJob *job;
    uint32_t count;
} Stop;

typedef struct {
    const Rules *rules;
    VEC(Stop) way;               // each waits for the next
    VEC(const PlanJob *) walked; // whose ways have all been walked
} Walk;

static bool is_walked(const Walk *walk, const PlanJob *job) {
    for (uint32_t i = 0; i < walk->walked.count; i++) {
        if (walk->walked.items[i] == job) {
            return true;
        }
    }
    return false;
}

// The place of a job on the way; the way's length: it is not there.
static uint32_t place_on_way(const Walk *walk, const PlanJob *job) {
    uint32_t place = 0;
    while (place < walk->way.count && walk->way.items[place].job != job) {
        place++;
    }
    return place;
}

// The end of the way waits for the job at `first`.
static void report_circle(const Walk *walk, uint32_t first) {
    enum { NAMES_MAX = 16 };
    Session *session = walk->rules->session;
    const Stop *end = &walk->way.items[walk->way.count - 1];
    const uint32_t length = walk->way.count - first;
    StrBuf text = { .arena = session->arena };
    for (uint32_t i = 0; i < length; i++) {
        if (i < NAMES_MAX || i + 1 == length) {
            strbuf_add_format(&text, "`%.*s`, ", STR_ARG(walk->way.items[first + i].job->head.id));
        } else if (i == NAMES_MAX) {
            strbuf_add(&text, STR("…, "));
        }
    }
    strbuf_add_format(&text, "`%.*s`", STR_ARG(walk->way.items[first].job->head.id));
    const Span span = end->job->depends_on.items[end->count - 1].span;
    Diag *diag = report(session, span, DIAG(circular_jobs), STR_ARG(strbuf_str(&text)));
    diag_help(session, diag, "leave one of them out of `depends_on`");
}

static void add_stop(Walk *walk, const PlanJob *job) {
    const Stop stop = { .job = job };
    vec_push(walk->rules->session->arena, &walk->way, stop);
}

// Walks all ways from a job, each job once: a way that comes back to itself is a circle.
static void walk_from(Walk *walk, const PlanJob *job) {
    add_stop(walk, job);
    while (walk->way.count > 0) {
        Stop *end = &walk->way.items[walk->way.count - 1];
        if (end->count == end->job->depends_on.count) {
            vec_push(walk->rules->session->arena, &walk->walked, end->job);
            walk->way.count--;
            continue;
        }
        const PlanJob *next = plan_job_before(job->cluster, &end->job->depends_on.items[end->count++]);
        const uint32_t place = place_on_way(walk, next);
        if (place < walk->way.count) {
            report_circle(walk, place);
        } else if (next != NULL && !is_walked(walk, next)) {
            add_stop(walk, next);
        }
    }
}

void rule_jobs_in_a_circle(const Rules *rules, const PlanCluster *cluster) {
    Walk walk = { .rules = rules };
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        if (cluster->jobs.items[i]->depends_on.count > 0 && !is_walked(&walk, cluster->jobs.items[i])) {
            walk_from(&walk, cluster->jobs.items[i]);
        }
    }
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

// What the author says of the most jobs: one more than the highest index. NULL: nothing.
static const ValueEntry *own_size(const PlanCluster *cluster) {
    const ValueEntry *size = NULL;
    for (uint32_t i = 0; cluster->slurm != NULL && i < cluster->slurm->all_settings.count; i++) {
        const PlanSetting *setting = &cluster->slurm->all_settings.items[i];
        if (setting->place == SLURM_CLUSTER && str_is_in_any_case(setting->entry->key, "MaxArraySize")) {
            size = setting->entry;
        }
    }
    return size;
}

// INT64_MAX: it is no number, which another rule says, or one without an end.
static int64_t number_of(const Value *value) {
    int64_t number = 0;
    if (value->kind == VALUE_INT) {
        return value->integer;
    }
    for (size_t i = 0; value->kind == VALUE_STRING && i < value->string.len; i++) {
        const char c = value->string.data[i];
        if (!char_is_digit(c) || number > INT32_MAX) {
            return INT64_MAX;
        }
        number = number * 10 + (c - '0');
    }
    return value->kind == VALUE_STRING && value->string.len > 0 ? number : INT64_MAX;
}

typedef struct {
    const char *who;
    int64_t least;
    int64_t most;
    const ValueEntry *setting; // that says the most; NULL: none does
} ArrayBounds;

static ArrayBounds array_bounds(const PlanJob *job) {
    if (job->cluster->batch != NULL) {
        return (ArrayBounds){ .who = "AWS Batch", .least = LIMIT_JOB_ARRAY_MIN, .most = LIMIT_JOB_ARRAY_MAX };
    }
    if (job->eks != NULL) {
        return (ArrayBounds){ .who = "Kubernetes", .least = 1, .most = LIMIT_KUBERNETES_INDEXES_MAX };
    }
    const ValueEntry *size = own_size(job->cluster);
    const int64_t most = size == NULL ? LIMIT_SLURM_ARRAY_USUAL : number_of(size->value);
    return (ArrayBounds){ .who = "Slurm", .least = 1, .most = most, .setting = size };
}

static void help_with_array(const Rules *rules, const PlanJob *job, const ArrayBounds *bounds, Diag *diag) {
    const int64_t size = job->array_size->integer;
    if (size == 1) {
        diag_help(rules->session, diag, "leave it out: the job runs once");
    } else if (size <= bounds->most || bounds->most < 1) {
        return; // between the two
    } else if (bounds->setting != NULL) {
        diag_label(rules->session, diag, bounds->setting->value->span, "one more than the highest index");
        diag_help(rules->session, diag, "write `MaxArraySize = %" PRId64 "`", size);
    } else if (job->cluster->slurm != NULL) {
        diag_help(rules->session, diag, "write `slurm { settings = { MaxArraySize = %" PRId64 " } }` for more", size);
    } else {
        diag_help(rules->session, diag, "write several jobs in a `for`, each with a part of the work");
    }
}

void rule_array_size(const Rules *rules, const PlanJob *job) {
    if (job->array_size == NULL) {
        return;
    }
    const ArrayBounds bounds = array_bounds(job);
    const int64_t size = job->array_size->integer;
    if (size < bounds.least || size > bounds.most) {
        Arena *arena = rules->session->arena;
        Diag *diag = rule_outside(
            rules, job->head.subject, job->array_size->span, "array_size", value_print(arena, job->array_size),
            bounds.who, str_format(arena, "%" PRId64, bounds.least), str_format(arena, "%" PRId64, bounds.most));
        help_with_array(rules, job, &bounds, diag);
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
