// Rules about fields of Kubernetes objects that take a few words, and about what operators refuse in a job of theirs.
// The type of such a field is a string, so that rule object takes any.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/object_value.h"

// ---- words -----------------------------------------------------------------------------------------------------

enum { PATH_MAX_KEYS = 6, WORDS_MAX = 4 };

typedef struct {
    const char *type;
    const char *path[PATH_MAX_KEYS]; // through lists, too
    const char *words[WORDS_MAX];
} WordRow;

// Enumerations of the definitions: kubernetes-sigs/lws api/leaderworkerset/v1, aws/karpenter-provider-aws
// pkg/apis/crds, kubeflow/mpi-operator pkg/apis/kubeflow/v2beta1, kubeflow/training-operator pkg/apis/kubeflow.org/v1;
// read 2026-11. `Default` of LeaderWorkerSet is an old word for None.
static const WordRow WORDS[] = {
    { "leaderworkerset.x-k8s.io/v1/LeaderWorkerSet",
      { "spec", "leaderWorkerTemplate", "restartPolicy" },
      { "RecreateGroupOnPodRestart", "None", "RecreateGroupAfterStart", "Default" } },
    { "karpenter.sh/v1/NodePool",
      { "spec", "disruption", "consolidationPolicy" },
      { "WhenEmpty", "WhenEmptyOrUnderutilized", "Balanced" } },
    { "karpenter.sh/v1/NodePool",
      { "spec", "template", "spec", "taints", "effect" },
      { "NoSchedule", "PreferNoSchedule", "NoExecute" } },
    { "karpenter.sh/v1/NodePool",
      { "spec", "template", "spec", "startupTaints", "effect" },
      { "NoSchedule", "PreferNoSchedule", "NoExecute" } },
    { "kubeflow.org/v2beta1/MPIJob", { "spec", "runPolicy", "cleanPodPolicy" }, { "Running", "All", "None" } },
    { "kubeflow.org/v1/PyTorchJob", { "spec", "runPolicy", "cleanPodPolicy" }, { "Running", "All", "None" } },
};

// Of the tolerations of any pod: core/v1, TaintEffect. An empty one is of all effects.
static const WordRow TOLERATION = { NULL,
                                    { "tolerations", "effect" },
                                    { "NoSchedule", "PreferNoSchedule", "NoExecute", "" } };

static void check_word(const Rules *rules, const PlanObject *object, const WordRow *row, const char *key,
                       const Value *value) {
    Suggestion suggestion = suggest_for(rules->session, value->string);
    Str all = STR_NONE;
    for (int i = 0; i < WORDS_MAX && row->words[i] != NULL; i++) {
        if (str_is(value->string, row->words[i])) {
            return;
        }
        if (row->words[i][0] != '\0') {
            suggest_offer(&suggestion, str_of(row->words[i]));
            all =
                str_format(rules->session->arena, "%.*s%s`%s`", STR_ARG(all), all.len == 0 ? "" : ", ", row->words[i]);
        }
    }
    Diag *diag =
        plan_report(rules->session, object->subject, value->span, DIAG(object_word), key, STR_ARG(value->string));
    if (!suggest_say(rules->session, diag, &suggestion, value->span)) {
        diag_help(rules->session, diag, "it takes %.*s", STR_ARG(all));
    }
}

static void check_path(const Rules *rules, const PlanObject *object, const WordRow *row, int at, const Value *value) {
    if (value == NULL) {
        return;
    }
    if (value->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < value->list.count; i++) {
            check_path(rules, object, row, at, value->list.items[i]);
        }
    } else if (at < PATH_MAX_KEYS && row->path[at] != NULL) {
        check_path(rules, object, row, at + 1, object_get(value, row->path[at]));
    } else if (value->kind == VALUE_STRING) {
        check_word(rules, object, row, row->path[at - 1], value);
    }
}

// Kubernetes refuses a toleration of any value that names one.
static void check_tolerations(const Rules *rules, const PlanObject *object, const Value *pod) {
    const Value *list = object_get(pod, "tolerations");
    check_path(rules, object, &TOLERATION, 0, pod);
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Value *value = object_get(list->list.items[i], "value");
        const Value *how = object_get(list->list.items[i], "operator");
        if (object_text(value).len > 0 && str_is(object_text(how), "Exists")) {
            Diag *diag = plan_report(rules->session, object->subject, value->span, DIAG(toleration_value));
            diag_label(rules->session, diag, how->span, "of any value");
            diag_help(rules->session, diag, "leave `value` out, or write the operator `Equal`");
        }
    }
}

void rule_object_words(const Rules *rules, const PlanObject *object) {
    for (size_t i = 0; i < COUNT_OF(WORDS) && !object->is_changed; i++) {
        if (str_is(object->resource->type, WORDS[i].type)) {
            check_path(rules, object, &WORDS[i], 0, object->fields);
        }
    }
    for (uint32_t i = 0; !object->is_changed && i < object->pods.count; i++) {
        check_tolerations(rules, object, object->pods.items[i].spec);
    }
}

// ---- jobs of Kubeflow ------------------------------------------------------------------------------------------

// kubeflow/training-operator pkg/webhooks/pytorch, kubeflow/mpi-operator pkg/apis/kubeflow/validation; read 2026-11.
typedef struct {
    const char *type;
    const char *replicas;  // the map of groups
    const char *lead;      // its first group, of one pod
    const char *container; // that each pod has; NULL: any
} OperatorRow;

static const OperatorRow OPERATORS[] = {
    { "kubeflow.org/v1/PyTorchJob", "pytorchReplicaSpecs", "Master", "pytorch" },
    { "kubeflow.org/v2beta1/MPIJob", "mpiReplicaSpecs", "Launcher", NULL },
};

static void check_container(const Rules *rules, const PlanObject *object, const char *wanted, const Value *group) {
    const Value *pod = object_get(object_get(group, "template"), "spec");
    const Value *containers = object_get(pod, "containers");
    const Value *other = NULL;
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Value *name = object_get(containers->list.items[i], "name");
        if (name == NULL || name->kind != VALUE_STRING || str_is(name->string, wanted)) {
            return;
        }
        other = other == NULL ? name : other;
    }
    if (other != NULL) {
        Diag *diag = plan_report(rules->session, object->subject, other->span, DIAG(operator_refuses),
                                 "no container is called `pytorch`");
        diag_help(rules->session, diag, "call the container that trains `%s`", wanted);
    }
}

static void check_job(const Rules *rules, const PlanObject *object, const OperatorRow *row) {
    const Value *groups = object_get(object_get(object->fields, "spec"), row->replicas);
    const Value *count = object_get(object_get(groups, row->lead), "replicas");
    if (object_int32(count, 1) > 1) {
        Diag *diag =
            plan_report(rules->session, object->subject, count->span, DIAG(operator_refuses), "its first pod is one");
        diag_help(rules->session, diag, "write `replicas: 1`, and the others under `Worker`");
    }
    for (uint32_t i = 0; row->container != NULL && groups != NULL && groups->kind == VALUE_MAP && i < groups->map.count;
         i++) {
        check_container(rules, object, row->container, groups->map.entries[i].value);
    }
}

void rule_operator_jobs(const Rules *rules, const PlanObject *object) {
    for (size_t i = 0; i < COUNT_OF(OPERATORS) && !object->is_changed; i++) {
        if (str_is(object->resource->type, OPERATORS[i].type)) {
            check_job(rules, object, &OPERATORS[i]);
        }
    }
}
