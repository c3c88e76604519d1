// The jobs of a cluster on EKS, each as a file of its own: the template of a Job cannot change, so that beside other
// objects it would make every later `kubectl apply` fail. A step of the plan submits it, behind the step that installs
// what runs its workload.
#include "emitters/kubernetes/controllers.h"
#include "emitters/kubernetes/pod_secrets.h"

#include "emitters/job/job_submission.h"

static void (*const ADD[])(JobPods *pods) = {
    [WORKLOAD_INDEXED_JOB] = job_add_indexed_job,
    [WORKLOAD_TRAIN_JOB] = job_add_train_job,
    [WORKLOAD_MPI_JOB] = job_add_mpi_job,
    [WORKLOAD_VOLCANO_JOB] = job_add_volcano_job,
};
_Static_assert(COUNT_OF(ADD) == WORKLOAD_COUNT, "each workload has a function");

// ---- the jobs --------------------------------------------------------------------------------------------------------

static void fill_step(const Manifest *manifest, const PlanJob *job) {
    Arena *arena = manifest->file->session->arena;
    DeploymentStep *step = &manifest->file->step;
    job_fill_step(arena, step, job);
    step->file = str_format(arena, "%.*s.k8s.yaml", STR_ARG(job->head.id));
    step->apply = job_order_apply(manifest, job);
    step->remove = manifest_kubectl(manifest, "delete --ignore-not-found -f");
    if (manifest->maker != NULL) {
        vec_push(arena, &step->needs, manifest->stack);
    }
    controllers_add_nodes(manifest, step);
    controllers_add_of_job(manifest, job, step);
    const DeploymentStep *objects = controllers_step_of_objects(manifest);
    if (objects != NULL) {
        vec_push(arena, &step->needs, job->cluster->head.name->string);
        vec_push(arena, &step->follows, objects->key); // a stack of a running cluster may have that name
    }
}

void kubernetes_job(Manifest *manifest, const PlanJob *job) {
    ToolFile *file = manifest->file;
    vec_push(file->arena, &file->parts, job->head.part);
    fill_step(manifest, job);
    JobPods pods = {
        .manifest = manifest,
        .file = file,
        .doc = file->doc,
        .job = job,
        .port = str_format(file->arena, "%" PRId64, schema_constant(CONSTANT_TORCHRUN_PORT)),
    };
    doc_because(file->doc, job->head.origin);
    pods_add_account(&pods);
    secrets_add_classes(&pods);
    ADD[job->eks->workload](&pods);
    doc_unbecause(file->doc);
    file->remove_by_name = manifest_delete_by_name(manifest);
    tool_write(file, manifest->output);
}
