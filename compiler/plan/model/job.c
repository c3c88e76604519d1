// What a job is to the others of its cluster.
#include "compiler/plan/model/plan.h"

const PlanJob *plan_job_before(const PlanCluster *cluster, const PlanJobBefore *before) {
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        if (cluster->jobs.items[i]->head.subject == before->subject) {
            return cluster->jobs.items[i];
        }
    }
    return NULL;
}

bool plan_job_is_awaited(const PlanJob *job) {
    for (uint32_t i = 0; i < job->cluster->jobs.count; i++) {
        const PlanJob *other = job->cluster->jobs.items[i];
        for (uint32_t k = 0; k < other->depends_on.count; k++) {
            if (other->depends_on.items[k].subject == job->head.subject) {
                return true;
            }
        }
    }
    return false;
}

bool plan_job_is_multi_node(const PlanJob *job) {
    return job->nodes->kind != VALUE_INT || job->nodes->integer > 1;
}
