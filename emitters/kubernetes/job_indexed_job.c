// A job as a Job of Kubernetes. Of several pods each has an index, which is its rank and a part of its host name; a
// headless service makes the names known before the pods are ready. In an array each pod is a job of its own, and the
// index is its place.
#include "emitters/kubernetes/pod.h"

#include "emitters/tool/tool_tree.h"

static void put_indexes(const JobPods *pods, DocNode *spec, Why reason, const Value *count) {
    tree_put(pods->doc, spec, "completionMode", tree_text(pods->doc, reason, "Indexed"));
    tree_put(pods->doc, spec, "completions", tool_value(pods->file, count));
    tree_put(pods->doc, spec, "parallelism", tool_value(pods->file, count));
}

// When one pod of several fails the others fail behind it, and each counts. Jobs of an array count for themselves: one
// that fails ends none of the others.
static void put_retries(const JobPods *pods, DocNode *spec) {
    const PlanJob *job = pods->job;
    const bool is_array = job->array_size != NULL;
    const int64_t retries = (job->attempts->integer - 1) * job->nodes->integer;
    tree_put(pods->doc, spec, is_array ? "backoffLimitPerIndex" : "backoffLimit",
             doc_int(pods->doc, retries, job->attempts->origin));
    pods_put_node_loss(pods, spec, is_array ? "FailIndex" : "FailJob");
}

void job_add_indexed_job(JobPods *pods) {
    Doc *doc = pods->doc;
    const PlanJob *job = pods->job;
    const PlanHead *head = &job->head;
    const bool are_several = plan_job_is_multi_node(job);
    if (are_several) {
        pods_add_service(pods);
    }
    pods->leader = str_format(pods->file->arena, "%.*s-0.%.*s", STR_ARG(head->id), STR_ARG(head->id));
    DocNode *object = manifest_add(pods->manifest, "batch/v1", "Job", head->id, head->subject->name_span);
    DocNode *spec = tree_put_map(doc, object, "spec");
    if (are_several) {
        put_indexes(pods, spec, WHY_JOB_RANKS, job->nodes);
    } else if (job->array_size != NULL) {
        put_indexes(pods, spec, WHY_JOB_ARRAY, job->array_size);
    }
    put_retries(pods, spec);
    pods->has_deadline = job->array_size != NULL; // each, and not all of them
    if (!pods->has_deadline) {
        pods_put_deadline(pods, spec, "activeDeadlineSeconds");
    }
    DocNode *template = tree_put_map(doc, spec, "template");
    pods_put_labels(pods, tree_put_map(doc, template, "metadata"), "labels");
    pods->has_subdomain = are_several;
    pods_put_spec(pods, template, POD_WORKS, "job", pods_command(pods, "$(JOB_COMPLETION_INDEX)"));
}
