// What a job is to the others of its cluster, and to its nodes.
#include "compiler/plan/model/image.h"
#include "compiler/plan/model/queue.h"

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

bool plan_job_sets_mca(const PlanJob *job, const char *parameter) {
    static const char PREFIX[] = "OMPI_MCA_";
    bool is_set = false;
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        const Str key = job->env->map.entries[i].key;
        is_set =
            is_set || (str_starts_with(key, STR(PREFIX)) && str_is(str_slice(key, strlen(PREFIX), key.len), parameter));
    }
    const bool is_list = job->command != NULL && job->command->kind == VALUE_LIST;
    for (uint32_t i = 0; is_list && i + 1 < job->command->list.count; i++) {
        const Value *option = job->command->list.items[i];
        const Value *name = job->command->list.items[i + 1];
        const bool is_option =
            option->kind == VALUE_STRING && (str_is(option->string, "--mca") || str_is(option->string, "-mca"));
        is_set = is_set || (is_option && name->kind == VALUE_STRING && str_is(name->string, parameter));
    }
    return is_set;
}

bool plan_job_has_ssh_key(const PlanJob *job) {
    return job->cluster->batch != NULL && job->launcher == LAUNCHER_MPIRUN && plan_job_is_multi_node(job);
}

bool plan_cluster_has_ssh_key(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        if (plan_job_has_ssh_key(cluster->jobs.items[i])) {
            return true;
        }
    }
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanValidate *validate = cluster->nodes.items[i]->validate;
        if (validate != NULL && validate->job != NULL && plan_job_has_ssh_key(validate->job)) {
            return true;
        }
    }
    return false;
}

bool plan_job_has_image(const PlanJob *job) {
    return job->image != NULL || (job->image_uri != NULL && job->image_uri->kind != VALUE_NULL);
}

bool plan_job_is_of_ecr(const PlanJob *job) {
    if (!plan_job_has_image(job) || job->image != NULL || job->image_uri->kind != VALUE_STRING) {
        return plan_job_has_image(job);
    }
    Str host;
    Str region;
    return plan_image_registry(job->image_uri->string, &host, &region);
}

static bool may_run_on(const PlanJob *job, const PlanNodes *nodes) {
    const PlanQueue *queue =
        nodes->cluster->target == TARGET_PCS ? plan_queue_of(nodes->cluster, nodes->head.id) : NULL;
    return job->group == nodes || (queue != NULL && plan_queue_of(job->cluster, job->group->head.id) == queue);
}

// Each once, however many jobs name it, as far as that is known.
static void add_addresses(Arena *arena, PlanAddresses *all, const PlanAddresses *some) {
    for (uint32_t i = 0; i < some->count; i++) {
        bool has_it = false;
        for (uint32_t k = 0; k < all->count && !has_it; k++) {
            has_it = value_equal(all->items[k].value, some->items[i].value);
        }
        if (!has_it) {
            vec_push(arena, all, some->items[i]);
        }
    }
}

const PlanAccess *plan_nodes_access(Arena *arena, const PlanNodes *nodes) {
    PlanAccess *access = arena_new(arena, PlanAccess);
    for (uint32_t i = 0; i < nodes->cluster->jobs.count; i++) {
        const PlanJob *job = nodes->cluster->jobs.items[i];
        if (job->access != NULL && may_run_on(job, nodes)) {
            add_addresses(arena, &access->reads, &job->access->reads);
            add_addresses(arena, &access->writes, &job->access->writes);
        }
    }
    return access->reads.count + access->writes.count > 0 ? access : NULL;
}

bool plan_nodes_have_policy(Arena *arena, const PlanNodes *nodes) {
    return (nodes->validate != NULL && nodes->validate->verdicts != NULL) || plan_nodes_access(arena, nodes) != NULL;
}

bool plan_nodes_pull(const PlanNodes *nodes) {
    for (uint32_t i = 0; i < nodes->cluster->jobs.count; i++) {
        const PlanJob *job = nodes->cluster->jobs.items[i];
        if (may_run_on(job, nodes) && plan_job_is_of_ecr(job)) {
            return true;
        }
    }
    return false;
}
