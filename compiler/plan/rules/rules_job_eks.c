// Rules about jobs on EKS alone.
#include "compiler/plan/rules/rules_field.h"

#include "compiler/plan/model/allow.h"

void rule_workload(const Rules *rules, const PlanJob *job) {
    if (job->eks == NULL || job->eks->workload_value == NULL) {
        return;
    }
    if ((job->launcher == LAUNCHER_MPIRUN) != (job->eks->workload == WORKLOAD_MPI_JOB)) {
        Diag *diag = report(rules->session, job->eks->workload_value->span, DIAG(workload_of_launcher),
                            STR_ARG(job->eks->workload_value->string), STR_ARG(job->launcher_value->string));
        diag_label(rules->session, diag, job->launcher_value->span, "the launcher");
        diag_help(rules->session, diag, "leave `workload` out: the default fits the launcher");
    }
}

// The name of an object, of small letters, digits and `-`: rule object_names has what the author's own are called.
void rule_queue_of_job(const Rules *rules, const PlanJob *job) {
    const Value *queue = job->eks == NULL ? NULL : job->eks->queue;
    if (queue != NULL && queue->kind == VALUE_STRING && queue->string.len == 0) {
        Diag *diag = report(rules->session, queue->span, DIAG(kubernetes_name), STR_ARG(queue->string));
        diag_help(rules->session, diag, "write the name of a queue, or leave `queue` out");
        return;
    }
    if (job->eks != NULL && job->eks->queue != NULL && job->eks->queue->kind != VALUE_NULL &&
        job->eks->workload != WORKLOAD_VOLCANO_JOB) {
        Diag *diag = report(rules->session, job->eks->queue->span, DIAG(queue_without_volcano), STR_ARG(job->head.id));
        diag_help(rules->session, diag, "write `workload = volcano_job`, or leave `queue` out");
    }
}

// A number of at most nine digits, or root.
void rule_user_of_pod(const Rules *rules, const PlanJob *job) {
    enum { DIGITS_MAX = 9 };
    const Value *user = job->eks == NULL ? NULL : job->container->user;
    if (user == NULL || user->kind != VALUE_STRING || user->string.len == 0 || str_is(user->string, "root")) {
        return; // an empty one has been found
    }
    bool is_number = user->string.len <= DIGITS_MAX;
    for (size_t i = 0; i < user->string.len && is_number; i++) {
        is_number = user->string.data[i] >= '0' && user->string.data[i] <= '9';
    }
    if (!is_number) {
        Diag *diag = report(rules->session, user->span, DIAG(user_is_no_number), STR_ARG(user->string));
        diag_help(rules->session, diag, "write the number that the image gives it, such as `\"1000\"`");
    }
}
