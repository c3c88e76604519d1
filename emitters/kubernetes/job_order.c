// The command that submits a job on EKS. Kubernetes has no order among jobs: the step of the later one waits until the
// others have ended, and applies its file if they have succeeded. `kubectl wait` knows one condition, and would wait on
// for a job that has failed; so the end is asked for in a loop, and the success behind it. Of a job that somebody has
// deleted meanwhile the answer is empty, and the loop ends. It goes on where there is no answer: a network recovers.
#include "emitters/kubernetes/pod.h"

#include "compiler/base/shell.h"

typedef struct {
    const char *resource;
    const char *state;     // JSONPath of the words that it is in
    const char *ended;     // patterns of `case`: words after which it does not change
    const char *succeeded; // `--for` of kubectl wait
} Ended;

#define TRUE_CONDITIONS "{.status.conditions[?(@.status==\"True\")].type}"
#define PHASE "{.status.state.phase}"

// source: kubernetes.io/docs/concepts/workloads/controllers/job, Terminal Job conditions, 2026-11;
// kubeflow/trainer@8c0f5059 pkg/apis/trainer/v1alpha1/trainjob_types.go; kubeflow/mpi-operator@caa3c47
// pkg/apis/kubeflow/v2beta1/types.go; volcano-sh/volcano@ed72c7c8 batch/v1alpha1/job.go, read 2026-11
static const Ended ENDED[] = {
    [WORKLOAD_INDEXED_JOB] = { "job", TRUE_CONDITIONS, "*Complete*|*Failed*", "condition=Complete" },
    [WORKLOAD_TRAIN_JOB] = { "trainjob", TRUE_CONDITIONS, "*Complete*|*Failed*", "condition=Complete" },
    [WORKLOAD_MPI_JOB] = { "mpijob", TRUE_CONDITIONS, "*Succeeded*|*Failed*", "condition=Succeeded" },
    [WORKLOAD_VOLCANO_JOB] = { "vcjob", PHASE, "*Completed|*Failed|*Aborted|*Terminated",
                               "jsonpath='" PHASE "'=Completed" },
};
_Static_assert(COUNT_OF(ENDED) == WORKLOAD_COUNT, "each workload ends");

// A job that is not there ends the command at once, and not after hours.
static void add_wait(StrBuf *text, const PlanJob *before) {
    const Ended *row = &ENDED[before->eks->workload];
    const Str name = str_format(text->arena, "%s/%.*s", row->resource, STR_ARG(before->head.id));
    strbuf_add_format(
        text,
        "%skubectl get %.*s && until state=$(kubectl get %.*s --ignore-not-found -o jsonpath='{.kind} %s') "
        "&& case $state in ''|%s) ;; *) false ;; esac; do sleep 10; done"
        " && kubectl wait --for=%s --timeout=1s %.*s",
        text->len > 0 ? " && " : "", STR_ARG(name), STR_ARG(name), row->state, row->ended, row->succeeded,
        STR_ARG(name));
}

// Meanwhile kubectl may be turned to another cluster: a command that waits has a configuration of its own.
Str job_order_apply(const Manifest *manifest, const PlanJob *job) {
    if (job->depends_on.count == 0) {
        return manifest_kubectl(manifest, "apply -f");
    }
    StrBuf text = { .arena = manifest->file->session->arena };
    for (uint32_t i = 0; i < job->depends_on.count; i++) {
        const PlanJob *before = plan_job_before(job->cluster, &job->depends_on.items[i]);
        if (before != NULL) {
            add_wait(&text, before);
        }
    }
    shell_add(&text, "&& kubectl apply -f", manifest->file->step.file);
    return str_format(text.arena, "(export KUBECONFIG=%.*s.kubeconfig && %.*s)", STR_ARG(job->head.id),
                      STR_ARG(manifest_with(manifest, strbuf_str(&text))));
}
