// Which jobs on EKS take a role, and where that stands.
#include "compiler/plan/model/identity.h"

#include "compiler/plan/model/maker.h"

bool plan_job_has_identity(const PlanJob *job) {
    const PlanAccess *access = job->access;
    if (job->eks == NULL || access == NULL) {
        return false;
    }
    const uint32_t allowed = access->policies->list.count + access->reads.count + access->writes.count;
    return access->role != NULL || allowed > 0 || job->secrets.count > 0;
}

bool plan_has_identities(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        if (plan_job_has_identity(cluster->jobs.items[i])) {
            return true;
        }
    }
    return false;
}

bool plan_has_node_stack(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (plan_is_in_node_stack(cluster->nodes.items[i])) {
            return true;
        }
    }
    return plan_has_identities(cluster);
}

bool plan_is_of_identity(const PlanPart *part, int attribute) {
    static const int ATTRIBUTES[] = { JOB_ROLE, JOB_POLICIES, JOB_READS, JOB_WRITES, JOB_SECRETS };
    const bool is_of_eks = part_is(part, KIND_JOB) && part->cluster != NULL && part->cluster->target == TARGET_EKS;
    for (size_t i = 0; is_of_eks && i < COUNT_OF(ATTRIBUTES); i++) {
        if (attribute == ATTRIBUTES[i]) {
            return true;
        }
    }
    return false;
}
