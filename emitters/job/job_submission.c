// A job may be called as a stack is: steps of jobs know each other by keys.
#include "emitters/job/job_submission.h"

Str job_id_file(Arena *arena, Str job) {
    return str_format(arena, "%.*s.jobid", STR_ARG(job));
}

static Str key_of(Arena *arena, Str job) {
    return str_format(arena, "job %.*s", STR_ARG(job));
}

void job_fill_step(Arena *arena, DeploymentStep *step, const PlanJob *job) {
    step->kind = STR("job");
    step->name = str_copy(arena, job->head.id);
    step->key = key_of(arena, job->head.id);
    for (uint32_t i = 0; i < job->depends_on.count; i++) {
        vec_push(arena, &step->follows, key_of(arena, job->depends_on.items[i].id));
    }
}
