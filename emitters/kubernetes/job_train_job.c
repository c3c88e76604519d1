// A job as a TrainJob of Kubeflow Trainer, and the runtime that it names: its pods are there, and in the job what is to
// run. The resources stand in the job. Those that a TrainJob has take the place of all that its runtime has, so that a
// job with GPUs alone would lose the EFA interfaces of the runtime in silence. A container that takes a claim has its
// resources in the runtime alone: of those in a TrainJob the Trainer keeps requests and limits, and no claims
// (kubeflow/trainer@8c0f5059 pkg/runtime/core/trainingruntime.go, read 2026-11).
#include "emitters/kubernetes/pod.h"

#include "compiler/plan/model/compute_domain.h"
#include "emitters/tool/tool_tree.h"

static const char API[] = "trainer.kubeflow.org/v1alpha1";
static const char NODE[] = "node"; // the job and the container in which the Trainer looks for the processes

static void add_runtime(JobPods *pods) {
    Doc *doc = pods->doc;
    const PlanJob *job = pods->job;
    const PlanHead *head = &job->head;
    DocNode *runtime = manifest_add(pods->manifest, API, "TrainingRuntime", head->id, head->subject->name_span);
    DocNode *labels = tree_put_map(doc, manifest_metadata(runtime), "labels");
    tree_put(doc, labels, "trainer.kubeflow.org/framework", tree_text(doc, WHY_JOB_TRAINER, "torch"));
    DocNode *spec = tree_put_map(doc, runtime, "spec");
    DocNode *policy = tree_put_map(doc, spec, "mlPolicy");
    tree_put(doc, policy, "numNodes", tool_value(pods->file, job->nodes));
    if (job->launcher == LAUNCHER_TORCHRUN) {
        tree_put_map(doc, policy, "torch");
    }
    DocNode *set = tree_put_map(doc, tree_put_map(doc, spec, "template"), "spec");
    const bool tries_again = job->attempts->integer > 1;
    if (tries_again && job->node_loss == NULL) {
        tree_put(doc, tree_put_map(doc, set, "failurePolicy"), "maxRestarts",
                 doc_int(doc, job->attempts->integer - 1, job->attempts->origin));
    }
    DocNode *replicated = tree_add_map(doc, tree_put_list(doc, set, "replicatedJobs"));
    tree_put(doc, replicated, "name", tree_text(doc, WHY_JOB_TRAINER, NODE));
    DocNode *template = tree_put_map(doc, replicated, "template");
    DocNode *step = tree_put_map(doc, tree_put_map(doc, template, "metadata"), "labels");
    tree_put(doc, step, "trainer.kubeflow.org/trainjob-ancestor-step", tree_text(doc, WHY_JOB_TRAINER, "trainer"));
    DocNode *inner = tree_put_map(doc, template, "spec");
    if (tries_again && job->node_loss != NULL) { // the Job in it knows why its pod ended, and the set does not
        tree_put(doc, inner, "backoffLimit", doc_int(doc, job->attempts->integer - 1, job->attempts->origin));
    } else {
        tree_put(doc, inner, "backoffLimit", tree_number(doc, WHY_JOB_RETRY, 0));
    }
    pods_put_node_loss(pods, inner, "FailJob");
    DocNode *pod = tree_put_map(doc, inner, "template");
    pods_put_labels(pods, tree_put_map(doc, pod, "metadata"), "labels");
    pods_put_spec(pods, pod, plan_job_domain(job) != NULL ? POD_WORKS : POD_WORKS_ALSO, NODE, NULL);
}

// The Trainer tells torchrun by variables where the nodes meet, and how many processes it starts.
static DocNode *command(const JobPods *pods) {
    Arena *arena = pods->file->arena;
    const PlanJob *job = pods->job;
    JobWords words = { 0 };
    job_add_precompile(arena, &words, job);
    if (job->launcher == LAUNCHER_TORCHRUN) {
        job_add_word(arena, &words, WHY_JOB_TRAINER, "torchrun");
        job_add_torchrun_program(arena, &words, job);
    }
    job_add_command(arena, &words, job);
    return words.count == 0 ? NULL : pods_words(pods, &words);
}

void job_add_train_job(JobPods *pods) {
    Doc *doc = pods->doc;
    const PlanJob *job = pods->job;
    const PlanHead *head = &job->head;
    pods->leader = str_format(pods->file->arena, "%.*s-node-0-0.%.*s", STR_ARG(head->id), STR_ARG(head->id));
    add_runtime(pods);
    DocNode *object = manifest_add(pods->manifest, API, "TrainJob", head->id, head->subject->name_span);
    DocNode *spec = tree_put_map(doc, object, "spec");
    DocNode *reference = tree_put_map(doc, spec, "runtimeRef");
    tree_put(doc, reference, "apiGroup", tree_text(doc, WHY_JOB_TRAINER, "trainer.kubeflow.org"));
    tree_put(doc, reference, "kind", tree_text(doc, WHY_JOB_TRAINER, "TrainingRuntime"));
    tree_put(doc, reference, "name", tree_string(doc, WHY_JOB_TRAINER, head->id));
    pods_put_deadline(pods, spec, "activeDeadlineSeconds");
    DocNode *trainer = tree_put_map(doc, spec, "trainer");
    tree_put(doc, trainer, "numNodes", tool_value(pods->file, job->nodes));
    if (job->launcher == LAUNCHER_TORCHRUN) {
        tree_put(doc, trainer, "numProcPerNode", tool_value(pods->file, job->tasks_per_node));
    }
    tree_put(doc, trainer, "command", command(pods));
    if (plan_job_domain(job) == NULL) {
        pods_put_resources(pods, trainer, "resourcesPerNode");
    }
}
