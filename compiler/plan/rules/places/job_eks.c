// Rules about jobs on EKS alone.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/workload_group.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/node_room.h"
#include "compiler/plan/model/object.h"
#include "compiler/plan/model/pod_type.h"

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

// If a node is lost, the processes on the others end with a status of their own, and before Kubernetes knows of it.
// Volcano hears that a pod has failed before it hears that it was evicted (pkg/controllers/job, ed72c7c8).
static const char *loss_fault(const PlanJob *job) {
    if (job->nodes->integer > 1) {
        return "the pods on other nodes fail before the lost one";
    }
    switch (job->eks->workload) {
    case WORKLOAD_MPI_JOB:
        return "mpirun fails before its worker is gone";
    case WORKLOAD_VOLCANO_JOB:
        return "Volcano sees the pod fail before it sees it evicted";
    case WORKLOAD_INDEXED_JOB:
    case WORKLOAD_TRAIN_JOB:
    case WORKLOAD_COUNT:
        break;
    }
    return NULL;
}

void rule_node_loss(const Rules *rules, const PlanJob *job) {
    const char *fault =
        job->eks == NULL || job->node_loss == NULL || job->attempts->integer == 1 ? NULL : loss_fault(job);
    if (fault == NULL) {
        return;
    }
    Diag *diag = report(rules->session, job->node_loss->span, DIAG(node_loss_unseen), STR_ARG(job->head.id), fault);
    if (job->nodes->integer > 1) {
        diag_label(rules->session, diag, job->nodes->span, "several nodes");
    } else if (job->eks->workload_value != NULL) {
        diag_label(rules->session, diag, job->eks->workload_value->span, "what runs it");
    } else {
        diag_label(rules->session, diag, job->launcher_value->span, "the launcher");
    }
    diag_help(rules->session, diag, "leave `retry_on` out: it starts again after anything, up to `attempts`");
}

// Pods of one cluster may have several file systems in one place, as long as each of them has one.
void rule_mounts_of_pod(const Rules *rules, const PlanJob *job) {
    const Subject *subject = job->head.subject;
    const bool is_written = subject_value(subject, JOB_MOUNTS) != NULL;
    const Span span = is_written ? subject_key(subject, JOB_MOUNTS) : subject->name_span;
    const uint32_t count = job->eks == NULL ? 0 : job->container->mounts.count;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const PlanStorage *storage = job->container->mounts.items[i];
            const PlanStorage *other = job->container->mounts.items[k];
            if (!str_equal(storage->mount->string, other->mount->string)) {
                continue;
            }
            Diag *diag =
                plan_report(rules->session, subject, span, DIAG(mounts_of_pod), STR_ARG(job->head.id),
                            STR_ARG(other->head.id), STR_ARG(storage->head.id), STR_ARG(storage->mount->string));
            diag_label(rules->session, diag, other->mount->span, "is mounted here");
            diag_label(rules->session, diag, storage->mount->span, "and so is this one");
            diag_help(rules->session, diag, "%s, or give each a `mount` of its own",
                      is_written ? "leave one of them out of `mounts`" : "name one of them in `mounts`");
        }
    }
}

// An empty name is none: rule name_of_job_queue says so.
void rule_queue_of_job(const Rules *rules, const PlanJob *job) {
    const Value *queue = job->eks == NULL ? NULL : job->eks->queue;
    const bool is_empty = queue != NULL && queue->kind == VALUE_STRING && queue->string.len == 0;
    if (queue != NULL && queue->kind != VALUE_NULL && !is_empty && job->eks->workload != WORKLOAD_VOLCANO_JOB) {
        Diag *diag = report(rules->session, queue->span, DIAG(queue_without_volcano), STR_ARG(job->head.id));
        diag_help(rules->session, diag, "write `workload = volcano_job`, or leave `queue` out");
    }
}

// An object whose name only the deployment knows may be the one.
static bool may_be_queue(const PlanObject *object, Str name) {
    PlanObjectType type;
    const Str own = plan_name_of_object(object);
    return plan_object_type(object->resource->type, &type) && str_is(type.kind, "Queue") &&
           str_starts_with(type.api, STR("scheduling.volcano.sh/")) && (own.len == 0 || str_equal(own, name));
}

static void check_queue(const Rules *rules, const Subject *subject, const PlanCluster *cluster, const Value *queue) {
    Str name;
    if (queue == NULL || cluster->eks->existing != NULL ||
        !value_text_by_default(rules->session->arena, queue, &name) || name.len == 0 || str_is(name, "default") ||
        str_is(name, "root")) {
        return;
    }
    for (uint32_t i = 0; i < cluster->eks->objects.count; i++) {
        if (may_be_queue(cluster->eks->objects.items[i], name)) {
            return;
        }
    }
    Diag *diag = plan_report(rules->session, subject, queue->span, DIAG(queue_not_made), STR_ARG(name),
                             STR_ARG(cluster->head.id));
    diag_label(rules->session, diag, cluster->head.subject->name_span, "this build makes it");
    const bool is_label = !str_has(name, ".");
    diag_help(
        rules->session, diag,
        "write `resource \"scheduling.volcano.sh/v1beta1/Queue\" %.*s { %s%.*s%sspec = { weight = 1 } }` into the "
        "cluster, or leave `queue` out",
        STR_ARG(is_label ? name : STR("queue")), is_label ? "" : "metadata = { name = \"",
        STR_ARG(is_label ? STR_NONE : name), is_label ? "" : "\" }, ");
}

void rule_job_queue_is_made(const Rules *rules, const PlanJob *job) {
    if (job->eks != NULL && job->eks->workload == WORKLOAD_VOLCANO_JOB) {
        check_queue(rules, job->head.subject, job->cluster, job->eks->queue);
    }
}

// Jobs that the author wrote as objects.
void rule_queues_are_made(const Rules *rules, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->eks->objects.count; i++) {
        const PlanObject *object = cluster->eks->objects.items[i];
        if (str_is(object->resource->type, "batch.volcano.sh/v1alpha1/Job") && !object->is_changed) {
            check_queue(rules, object->subject, cluster, object_get(object_get(object->fields, "spec"), "queue"));
        }
    }
}

// More than the type has is rule fits_type's.
void rule_cpus_of_pod(const Rules *rules, const PlanJob *job) {
    const PlanGroupType *type = plan_largest_type(job->group);
    const double asked = (double)job->vcpus->integer;
    const double has = type->row->vcpus;
    if (job->eks == NULL || has < 1 || asked > has || node_room(type->row, "cpu", KEEPS_KUBELET) >= asked) {
        return;
    }
    Arena *arena = rules->session->arena;
    Diag *diag = plan_report(rules->session, job->head.subject, job->vcpus->span, DIAG(pod_request),
                             STR_ARG(node_amount_text(arena, "cpu", asked)), STR_ARG(STR("cpu")),
                             STR_ARG(node_most_text(arena, "cpu", has, asked)));
    diag_label(rules->session, diag, type->name->span, "has %d", type->row->vcpus);
    if (type->row->vcpus > 1) {
        diag_help(rules->session, diag, "write `vcpus = %d`, or leave it out", type->row->vcpus - 1);
    } else {
        diag_help(rules->session, diag, "take a larger type: a job has one vCPU at least");
    }
}

// What the operator of MPI calls slots. torchrun's processes are rule tasks_of_devices'.
void rule_slots_of_devices(const Rules *rules, const PlanJob *job) {
    const int64_t tasks = job->tasks_per_node->integer;
    const int64_t gpus = job->gpus->integer;
    if (job->eks == NULL || job->launcher != LAUNCHER_MPIRUN || gpus < 1 || tasks <= gpus) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, job->head.subject, job->tasks_per_node->span, DIAG(slots_over_gpus), tasks, gpus);
    diag_label(rules->session, diag, job->group->instance_value->span, "%s", job->group->instance->name);
    diag_help(rules->session, diag, "leave `tasks_per_node` out: a process for each GPU is the default");
}

// A number of at most nine digits, or root.
void rule_user_of_pod(const Rules *rules, const PlanJob *job) {
    enum { DIGITS_MAX = 9 };
    const Value *user = job->eks == NULL ? NULL : job->container->user;
    if (user == NULL || user->kind != VALUE_STRING || str_is(user->string, "root") ||
        rules_user_fault(user->string) != NULL) {
        return; // one that is wrong for every container is reported
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

void rule_user_with_efa(const Rules *rules, const PlanJob *job) {
    if (job->eks != NULL && plan_job_is_multi_node(job) && job->workload != NULL) {
        workload_check_on_group(rules->session, job->workload, job->group->group);
    }
}
