// Which variables a job is given.
#include "emitters/job/job_environment.h"

typedef struct {
    JobVariable variable;
    unsigned needs;
} Row;

static const Row ROWS[] = {
#define ENVIRONMENT(name, value, needs) { { #name, value, WHY_ENVIRONMENT_##name }, needs },
#include "schema/environment.def"
};

unsigned job_needs(const PlanJob *job) {
    const InstanceRow *row = job->group->instance;
    unsigned needs = plan_job_is_multi_node(job) ? JOB_OF_NODES : 0;
    needs |= job->efa_devices > 0 ? JOB_HAS_EFA : 0;
    needs |= row->accelerator == ACCELERATOR_NVIDIA ? JOB_ON_NVIDIA | JOB_ON_ACCELERATORS : 0;
    needs |= row->accelerator == ACCELERATOR_NEURON ? JOB_ON_NEURON | JOB_ON_ACCELERATORS : 0;
    needs |= job->container != NULL ? JOB_IN_CONTAINER : 0;
    return needs;
}

bool job_has(unsigned needs, unsigned wanted) {
    return (needs & wanted) == wanted;
}

const ValueEntry *job_author_variable(const PlanJob *job, const char *name) {
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        if (str_is(job->env->map.entries[i].key, name)) {
            return &job->env->map.entries[i];
        }
    }
    return NULL;
}

int job_variables(const PlanJob *job, JobVariable variables[JOB_VARIABLES_MAX]) {
    const unsigned needs = job_needs(job);
    int count = 0;
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (job_has(needs, ROWS[i].needs) && job_author_variable(job, ROWS[i].variable.name) == NULL) {
            variables[count++] = ROWS[i].variable;
        }
    }
    return count;
}
