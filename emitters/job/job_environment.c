// Which variables a job is given.
#include "emitters/job/job_environment.h"

static const Why REASONS[] = {
#define GIVEN(name, ...) [VARIABLE_GIVEN_##name] = WHY_ENVIRONMENT_##name,
#include "schema/variables.def"
};

unsigned job_needs(const PlanJob *job) {
    const InstanceRow *row = job->group->instance;
    unsigned needs = plan_job_is_multi_node(job) ? JOB_OF_NODES : 0;
    needs |= job->efa_devices > 0 ? JOB_HAS_EFA : 0;
    needs |= variable_places(row);
    needs |= (needs & (JOB_ON_NVIDIA | JOB_ON_NEURON)) != 0 ? JOB_ON_ACCELERATORS : 0;
    needs |= job->container != NULL ? JOB_IN_CONTAINER : 0;
    needs |= job->cluster->target == TARGET_BATCH ? JOB_ON_BATCH : 0;
    needs |= job->container == NULL ? JOB_ON_SLURM : 0;
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
    const VariableRow *row;
    int given = 0;
    int count = 0;
    for (int i = 0; (row = variable_row(i)) != NULL; i++) {
        if (!row->is_given) {
            continue;
        }
        if (job_has(needs, row->places) && job_author_variable(job, row->name) == NULL) {
            variables[count++] = (JobVariable){ .name = row->name, .value = row->values, .why = REASONS[given] };
        }
        given++;
    }
    return count;
}
