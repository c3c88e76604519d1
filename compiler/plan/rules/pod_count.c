// Counts pods by what the makers of pods are told.
#include "compiler/plan/rules/pod_count.h"

#include "compiler/plan/rules/object_value.h"

// ---- how many pods run at once -----------------------------------------------------------------------------------

static int64_t pods_of_job(const Value *spec) {
    const int64_t parallel = object_int32(object_get(spec, "parallelism"), 1);
    const int64_t all = object_int32(object_get(spec, "completions"), parallel);
    return parallel < 0 || all < 0 ? -1 : all < parallel ? all : parallel;
}

// An elastic job begins with fewer pods. One with a single number for the fewest and the most has that many.
static bool is_elastic(const Value *policy) {
    const int64_t fewest = object_int32(object_get(policy, "minReplicas"), -1);
    return policy != NULL && (fewest < 0 || object_int32(object_get(policy, "maxReplicas"), -2) != fewest);
}

// Of PyTorchJob and its like.
static int64_t pods_of_replicas(const Value *replicas, const Value *spec) {
    int64_t sum = 0;
    if (replicas == NULL || replicas->kind != VALUE_MAP || is_elastic(object_get(spec, "elasticPolicy"))) {
        return -1;
    }
    for (uint32_t i = 0; i < replicas->map.count; i++) {
        const int64_t own = object_int32(object_get(replicas->map.entries[i].value, "replicas"), 1);
        sum = own < 0 || sum < 0 ? -1 : sum + own;
    }
    return sum;
}

static int64_t pods_of_tasks(const Value *tasks) {
    int64_t sum = tasks == NULL || tasks->kind != VALUE_LIST ? -1 : 0;
    for (uint32_t i = 0; i < object_count(tasks); i++) {
        const int64_t own = object_int32(object_get(tasks->list.items[i], "replicas"), 1);
        sum = own < 0 || sum < 0 ? -1 : sum + own;
    }
    return sum;
}

// All jobs of a JobSet may run at once.
static int64_t pods_of_set(const Value *jobs) {
    int64_t sum = object_count(jobs) == 0 ? -1 : 0;
    for (uint32_t i = 0; i < object_count(jobs); i++) {
        const int64_t own = object_int32(object_get(jobs->list.items[i], "replicas"), 1);
        const int64_t pods = pods_of_job(object_get(object_get(jobs->list.items[i], "template"), "spec"));
        sum = own < 0 || pods < 0 || sum < 0 || sum > INT32_MAX ? -1 : sum + own * pods;
    }
    return sum;
}

int64_t pods_at_once(const PlanObject *object) {
    const Str type = object->resource->type;
    const Value *spec = object_get(object->fields, "spec");
    if (str_is(type, "batch/v1/Job")) {
        const int64_t pods = pods_of_job(spec);
        return pods > 1 || object_get(spec, "completions") != NULL ? pods : -1;
    }
    if (str_is(type, "kubeflow.org/v1/PyTorchJob")) {
        return pods_of_replicas(object_get(spec, "pytorchReplicaSpecs"), spec);
    }
    if (str_is(type, "batch.volcano.sh/v1alpha1/Job")) {
        return pods_of_tasks(object_get(spec, "tasks"));
    }
    if (str_is(type, "jobset.x-k8s.io/v1alpha2/JobSet")) {
        return pods_of_set(object_get(spec, "replicatedJobs"));
    }
    if (str_is(type, "trainer.kubeflow.org/v1alpha1/TrainJob")) {
        return object_int32(object_get(object_get(spec, "trainer"), "numNodes"), -1);
    }
    if (str_is(type, "leaderworkerset.x-k8s.io/v1/LeaderWorkerSet")) {
        return object_int32(object_get(object_get(spec, "leaderWorkerTemplate"), "size"), 1);
    }
    return -1;
}

// ---- of one template ------------------------------------------------------------------------------------------------

static const Value *template_of(const Value *holder) {
    return object_get(object_get(holder, "template"), "spec");
}

static int64_t pods_of_job_in(const Value *jobs, const Value *pod) {
    for (uint32_t i = 0; i < object_count(jobs); i++) {
        const Value *job = template_of(jobs->list.items[i]);
        if (template_of(job) == pod) {
            const int64_t replicas = object_int32(object_get(jobs->list.items[i], "replicas"), 1);
            const int64_t pods = pods_of_job(job);
            return replicas < 0 || pods < 0 ? -1 : replicas * pods;
        }
    }
    return -1;
}

static int64_t pods_of_task_in(const Value *tasks, const Value *pod) {
    for (uint32_t i = 0; i < object_count(tasks); i++) {
        if (template_of(tasks->list.items[i]) == pod) {
            return object_int32(object_get(tasks->list.items[i], "replicas"), 1);
        }
    }
    return -1;
}

static int64_t pods_of_group_in(const Value *groups, const Value *pod) {
    for (uint32_t i = 0; groups != NULL && groups->kind == VALUE_MAP && i < groups->map.count; i++) {
        const Value *group = groups->map.entries[i].value;
        if (template_of(group) == pod) {
            return object_int32(object_get(group, "replicas"), 1);
        }
    }
    return -1;
}

// Of one group; groups are jobs of their own. Without a template for the leader all pods are made alike.
// source: kubernetes-sigs/lws docs, LeaderWorkerTemplate, `size` and `leaderTemplate`, read 2026-11
static int64_t pods_of_worker_group(const Value *group, const Value *pod) {
    const Value *leader = object_get(object_get(group, "leaderTemplate"), "spec");
    const int64_t size = object_int32(object_get(group, "size"), 1);
    const bool is_worker = object_get(object_get(group, "workerTemplate"), "spec") == pod;
    return leader == pod ? 1 : !is_worker || size < 1 ? -1 : leader == NULL ? size : size - 1;
}

int64_t pods_of_template(const PlanObject *object, const Value *pod) {
    const Str type = object->resource->type;
    const Value *spec = object_get(object->fields, "spec");
    if (str_is(type, "batch/v1/Job")) {
        return pods_of_job(spec);
    }
    if (str_is(type, "jobset.x-k8s.io/v1alpha2/JobSet")) {
        return pods_of_job_in(object_get(spec, "replicatedJobs"), pod);
    }
    if (str_is(type, "batch.volcano.sh/v1alpha1/Job")) {
        return pods_of_task_in(object_get(spec, "tasks"), pod);
    }
    if (str_is(type, "kubeflow.org/v1/PyTorchJob")) {
        return pods_of_group_in(object_get(spec, "pytorchReplicaSpecs"), pod);
    }
    if (str_is(type, "kubeflow.org/v2beta1/MPIJob") || str_is(type, "kubeflow.org/v1/MPIJob")) {
        return pods_of_group_in(object_get(spec, "mpiReplicaSpecs"), pod);
    }
    if (str_is(type, "leaderworkerset.x-k8s.io/v1/LeaderWorkerSet")) {
        return pods_of_worker_group(object_get(spec, "leaderWorkerTemplate"), pod);
    }
    return -1;
}
