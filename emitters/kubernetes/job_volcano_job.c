// A job as a Job of Volcano, which places all pods or none: `minAvailable` is all of them. Its plugin `svc` gives the
// pods host names, and `env` their ranks.
#include "emitters/kubernetes/pod.h"

#include "emitters/tool/tool_tree.h"

static void add_policy(const JobPods *pods, DocNode *list, const char *event, const char *action) {
    DocNode *policy = tree_add_map(pods->doc, list);
    tree_put(pods->doc, policy, "event", tree_text(pods->doc, WHY_JOB_RETRY, event));
    tree_put(pods->doc, policy, "action", tree_text(pods->doc, WHY_JOB_RETRY, action));
}

// Volcano counts a restart and then asks whether the count has reached `maxRetry`: so many times the job runs at most. It
// takes 0 for nothing, and nothing for 3.
// source: volcano-sh/volcano@ed72c7c8 pkg/controllers/job/state/running.go, restarting.go, read 2026-11
static void put_retries(const JobPods *pods, DocNode *spec) {
    const Value *attempts = pods->job->attempts;
    doc_because(pods->doc, attempts->origin);
    const bool tries_again = attempts->integer > 1;
    if (tries_again) {
        tree_put(pods->doc, spec, "maxRetry", doc_int(pods->doc, attempts->integer, attempts->origin));
    }
    DocNode *policies = tree_put_list(pods->doc, spec, "policies");
    add_policy(pods, policies, "PodEvicted", tries_again ? "RestartJob" : "AbortJob");
    add_policy(pods, policies, "PodFailed", tries_again ? "RestartJob" : "AbortJob");
    doc_unbecause(pods->doc);
}

static void put_plugins(const JobPods *pods, DocNode *spec) {
    Doc *doc = pods->doc;
    DocNode *plugins = tree_put_map(doc, spec, "plugins");
    tree_put_list(doc, plugins, "env");
    tree_put(doc, plugins, "svc",
             tree_list_of(doc, tree_text(doc, WHY_JOB_SERVICE, "--publish-not-ready-addresses=true")));
}

void job_add_volcano_job(JobPods *pods) {
    Doc *doc = pods->doc;
    const PlanJob *job = pods->job;
    const PlanHead *head = &job->head;
    pods->leader = str_format(pods->file->arena, "%.*s-worker-0.%.*s", STR_ARG(head->id), STR_ARG(head->id));
    DocNode *object =
        manifest_add(pods->manifest, "batch.volcano.sh/v1alpha1", "Job", head->id, head->subject->name_span);
    DocNode *spec = tree_put_map(doc, object, "spec");
    tree_put(doc, spec, "schedulerName", tree_text(doc, WHY_JOB_VOLCANO, "volcano"));
    tree_put(doc, spec, "minAvailable", tool_value(pods->file, job->nodes));
    tree_put(doc, spec, "queue", tool_value(pods->file, job->eks->queue));
    put_retries(pods, spec);
    put_plugins(pods, spec);
    DocNode *task = tree_add_map(doc, tree_put_list(doc, spec, "tasks"));
    tree_put(doc, task, "name", tree_text(doc, WHY_JOB_VOLCANO, "worker"));
    tree_put(doc, task, "replicas", tool_value(pods->file, job->nodes));
    DocNode *template = tree_put_map(doc, task, "template");
    pods_put_labels(pods, tree_put_map(doc, template, "metadata"), "labels");
    pods->has_deadline = true;
    pods_put_spec(pods, template, POD_WORKS, "worker", pods_command(pods, "$(VC_TASK_INDEX)"));
}
