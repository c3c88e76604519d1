// Rules about names of objects of Kubernetes: objects of the author, the claim of a file system, and the pods of a
// first job. The API server refuses others, when `kubectl apply` is in the middle of the file.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/model/claim.h"
#include "compiler/plan/model/object.h"
#include "compiler/plan/rules/manifest/derived_name.h"
#include "compiler/plan/rules/placeholder.h"

// What a host name is made of.
static bool is_label(Str name) {
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.data[i];
        const bool is_inner = i > 0 && i + 1 < name.len && c == '-';
        if (!is_inner && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')) {
            return false;
        }
    }
    return name.len > 0 && name.len <= LIMIT_KUBERNETES_NAME_MAX;
}

// Labels with dots between, of any length, 253 characters in all.
static bool is_subdomain(Str name) {
    for (size_t start = 0; start <= name.len;) {
        const size_t end = str_find(name, STR("."), start);
        const Str label = str_slice(name, start, end);
        const bool is_inner_ok = label.len > 0 && label.data[0] != '-' && label.data[label.len - 1] != '-';
        for (size_t i = 0; i < label.len; i++) {
            const char c = label.data[i];
            if (c != '-' && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')) {
                return false;
            }
        }
        if (!is_inner_ok) {
            return false;
        }
        start = end + 1;
    }
    return name.len <= LIMIT_KUBERNETES_DOMAIN_MAX;
}

static bool is_path_segment(Str name) {
    const bool has_sign = memchr(name.data, '/', name.len) != NULL || memchr(name.data, '%', name.len) != NULL;
    return !has_sign && !str_is(name, ".") && !str_is(name, "..") && name.len <= LIMIT_KUBERNETES_DOMAIN_MAX;
}

// Their operators make Services of the name, or hold it to the same form: kubernetes-sigs/jobset@08dfbdfd, kubernetes-sigs/lws@060ab4da
// and kubeflow/trainer@8c0f5059, their webhooks; kubeflow/mpi-operator@caa3c47f pkg/apis/kubeflow/validation;
// ray-project/kuberay@feeaf72f controllers/ray/utils/validation.go, 2026-08.
static bool begins_with_letter(PlanObjectType type) {
    static const char KINDS[] = "PyTorchJob|MPIJob|RayCluster|RayJob|RayService|JobSet|LeaderWorkerSet|TrainJob";
    return str_has(type.api, ".") && words_have(STR(KINDS), type.kind);
}

// Kubernetes documentation, Object Names and IDs, and pkg/apis/core/validation/validation.go of 1.34, 2026-11. The
// names of a namespace and of a service are labels, which become host names. Those of roles and their bindings are
// segments of a path. All other names are subdomains.
static bool is_name_of(PlanObjectType type, Str name) {
    if (str_is(type.api, "v1") && (str_is(type.kind, "Namespace") || str_is(type.kind, "Service"))) {
        return is_label(name);
    }
    if (name.len > 0 && str_starts_with(type.api, STR("rbac.authorization.k8s.io/"))) {
        return is_path_segment(name);
    }
    if (begins_with_letter(type)) {
        return is_label(name) && !char_is_digit(name.data[0]);
    }
    return name.len > 0 && is_subdomain(name);
}

static void check_name(const Rules *rules, const Subject *subject, PlanObjectType type, Str name, Span span) {
    if (is_name_of(type, name) || rules->plan->are_bases) {
        return;
    }
    Diag *diag = plan_report(rules->session, subject, span, DIAG(kubernetes_name), STR_ARG(name));
    // Small letters, and `-` where `_` stood: mostly that is all.
    const Str better = rule_plain_name(rules->session->arena, name, true);
    if (is_name_of(type, better)) {
        diag_help(rules->session, diag, "`%.*s` can be one", STR_ARG(better));
        rule_rename(rules, diag, span, name, better);
    } else {
        const char *ends = begins_with_letter(type) ? "a letter first" : "a letter or a digit at both ends";
        diag_help(rules->session, diag, "take small letters, digits and `-`, %d at most, and %s",
                  LIMIT_KUBERNETES_NAME_MAX, ends);
    }
}

// ---- what an author wrote ----------------------------------------------------------------------------------------

// The name of a manifest is what is written, if that is known; a raw `resource` has its own where none is.
void rule_object_names(const Rules *rules, const PlanObject *object) {
    PlanObjectType type;
    const Value *written = plan_object_name(object->resource);
    if (!plan_object_type(object->resource->type, &type) ||
        (object->is_manifest && (written == NULL || written->kind != VALUE_STRING))) {
        return; // rule object_types
    }
    Str name = object->resource->name;
    if (object->is_manifest && placeholder_is_filled_in(written->string)) {
        return;
    }
    if (written == NULL || value_text_by_default(rules->session->arena, written, &name)) {
        check_name(rules, object->subject, type, name, written == NULL ? object->resource->span : written->span);
    }
}

// ---- what is made of a block -------------------------------------------------------------------------------------

void rule_claim_names(const Rules *rules, const PlanCluster *cluster) {
    const PlanObjectType claim = { .api = STR("v1"), .kind = STR("PersistentVolumeClaim") };
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanHead *head = &cluster->storages.items[i]->head;
        const char *help = NULL;
        if (plan_claim_fault(cluster->storages.items[i], &help) == NULL) {
            const char *suffix = cluster->storages.items[i]->existing == NULL ? "sc" : "pv";
            const Str name = str_format(rules->session->arena, "%.*s-%s", STR_ARG(head->id), suffix);
            check_name(rules, cluster->head.subject, claim, name, head->subject->name_span);
        }
    }
}

// The last pod is called by the job's name and its index, and by that name the others call it.
void rule_first_job_name(const Rules *rules, const PlanNodes *nodes) {
    const PlanValidate *validate = nodes->validate;
    if (validate == NULL || validate->first_job == 0) {
        return;
    }
    const Str last =
        str_format(rules->session->arena, "%.*s-%.*s-%s-%d", STR_ARG(nodes->cluster->head.id), STR_ARG(nodes->head.id),
                   validate->job != NULL ? "nccl-worker" : "validate", validate->first_job - 1);
    if (!is_label(last)) {
        // On EKS its image was written, and so was the block.
        plan_report(rules->session, nodes->head.subject, validate->part->subject->span, DIAG(kubernetes_name),
                    STR_ARG(last));
    }
}

// A queue of Volcano is an object of its own, which is not of this file.
void rule_name_of_job_queue(const Rules *rules, const PlanJob *job) {
    const PlanObjectType type = { .api = STR("scheduling.volcano.sh/v1beta1"), .kind = STR("Queue") };
    const Value *queue = job->eks == NULL ? NULL : job->eks->queue;
    Str name;
    if (queue == NULL || !value_text_by_default(rules->session->arena, queue, &name)) {
        return;
    }
    if (name.len == 0) {
        Diag *diag = report(rules->session, queue->span, DIAG(kubernetes_name), STR_ARG(name));
        diag_help(rules->session, diag, "write the name of a queue, or leave `queue` out");
        return;
    }
    check_name(rules, job->head.subject, type, name, queue->span);
}

// What runs the job makes the names of its pods of the job's, and they are host names.
void rule_job_names(const Rules *rules, const PlanJob *job) {
    static const struct {
        const char *type;
        const char *part;
    } ROWS[] = {
        [WORKLOAD_INDEXED_JOB] = { "batch/v1/Job", "" },
        [WORKLOAD_TRAIN_JOB] = { "trainer.kubeflow.org/v1alpha1/TrainJob", "" },
        [WORKLOAD_MPI_JOB] = { "kubeflow.org/v2beta1/MPIJob", "worker" },
        [WORKLOAD_VOLCANO_JOB] = { "batch.volcano.sh/v1alpha1/Job", "worker" },
    };
    if (job->eks == NULL) {
        return;
    }
    const Str name = job->head.id;
    const Span span = job->head.subject->name_span;
    const char first = name.data[0];
    if (!is_subdomain(name) || str_has(name, ".") || (first >= '0' && first <= '9')) {
        Diag *diag = plan_report(rules->session, job->head.subject, span, DIAG(kubernetes_name), STR_ARG(name));
        diag_help(rules->session, diag, "take small letters, digits and `-`, and a letter first");
        return;
    }
    const int64_t count = job->array_size != NULL ? job->array_size->integer : job->nodes->integer;
    const DerivedOf of = {
        .part = str_of(ROWS[job->eks->workload].part), .parts = count, .pods = count, .replicas = -1
    };
    derived_name_check(rules, job->head.subject, ROWS[job->eks->workload].type, name, span, &of);
}
