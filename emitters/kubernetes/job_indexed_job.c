// A job as a Job of Kubernetes. Of several pods each has an index, which is its rank and a part of its host name; a
// headless service makes the names known before the pods are ready.
#include "emitters/kubernetes/pod.h"

#include "emitters/tool/tool_tree.h"

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
        tree_put(doc, spec, "completionMode", tree_text(doc, WHY_JOB_RANKS, "Indexed"));
        tree_put(doc, spec, "completions", tool_value(pods->file, job->nodes));
        tree_put(doc, spec, "parallelism", tool_value(pods->file, job->nodes));
    }
    // When one pod fails the others fail behind it, and each counts.
    const int64_t retries = (job->attempts->integer - 1) * job->nodes->integer;
    tree_put(doc, spec, "backoffLimit", doc_int(doc, retries, job->attempts->origin));
    pods_put_deadline(pods, spec, "activeDeadlineSeconds");
    DocNode *template = tree_put_map(doc, spec, "template");
    pods_put_labels(pods, tree_put_map(doc, template, "metadata"), "labels");
    pods->has_subdomain = are_several;
    pods_put_spec(pods, template, POD_WORKS, "job", pods_command(pods, "$(JOB_COMPLETION_INDEX)"));
}
