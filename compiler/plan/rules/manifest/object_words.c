// Rules about fields of Kubernetes objects that take a few words, and about what operators refuse in a job of theirs.
// The type of such a field is a string, so that rule object takes any.
#include "compiler/plan/rules/manifest/object_words.h"

#include "compiler/base/suggest.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/rule_remove.h"
#include "compiler/plan/rules/rule_word.h"

// ---- words -----------------------------------------------------------------------------------------------------

typedef struct {
    const char *type;
    const char *path; // through lists, too
    const char *words;
} WordRow;

static const WordRow WORDS[] = {
#define OBJECT_WORDS(...) { __VA_ARGS__ },
#include "schema/object_words.def"
#undef OBJECT_WORDS
};

// Of any pod: core/v1, TaintEffect, TolerationOperator, PullPolicy, DNSPolicy, StorageMedium, HostPathType, RestartPolicy,
// PreemptionPolicy, UnsatisfiableConstraintAction, Protocol, NodeSelectorOperator, NodeInclusionPolicy, URIScheme,
// TerminationMessagePolicy, MountPropagationMode, PodFSGroupChangePolicy and SeccompProfileType; validEnvDownwardAPIFieldPathExpressions,
// validVolumeDownwardAPIFieldPathExpressions and validContainerResourceFieldPathExpressions; meta/v1,
// LabelSelectorOperator; read 2026-11. An empty word is the default of each.
#define FIELD_PATHS                                                                                             \
    "metadata.name|metadata.namespace|metadata.uid|spec.nodeName|spec.serviceAccountName|status.hostIP|status." \
    "hostIPs|"                                                                                                  \
    "status.podIP|status.podIPs"
#define FILE_PATHS "metadata.name|metadata.namespace|metadata.uid|metadata.labels|metadata.annotations"
#define AMOUNTS                                                                                          \
    "limits.cpu|limits.memory|limits.ephemeral-storage|requests.cpu|requests.memory|requests.ephemeral-" \
    "storage"
#define LABELS "In|NotIn|Exists|DoesNotExist"
#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution."
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution."

static const WordRow OF_PODS[] = {
    { NULL, "tolerations.effect", "NoSchedule|PreferNoSchedule|NoExecute" },
    { NULL, "tolerations.operator", "Exists|Equal|Lt|Gt" },
    { NULL, "topologySpreadConstraints.whenUnsatisfiable", "DoNotSchedule|ScheduleAnyway" },
    { NULL, "containers.imagePullPolicy", "Always|IfNotPresent|Never" },
    { NULL, "initContainers.imagePullPolicy", "Always|IfNotPresent|Never" },
    { NULL, "dnsPolicy", "ClusterFirst|ClusterFirstWithHostNet|Default|None" },
    { NULL, "restartPolicy", "Always|OnFailure|Never" },
    { NULL, "preemptionPolicy", "PreemptLowerPriority|Never" },
    { NULL, "containers.ports.protocol", "TCP|UDP|SCTP" },
    { NULL, "volumes.hostPath.type", "DirectoryOrCreate|Directory|FileOrCreate|File|Socket|CharDevice|BlockDevice" },
    { NULL, "volumes.emptyDir.medium", "Memory|HugePages" },
    { NULL, "affinity.nodeAffinity." REQUIRED "nodeSelectorTerms.matchExpressions.operator", LABELS "|Gt|Lt" },
    { NULL, "affinity.nodeAffinity." PREFERRED "preference.matchExpressions.operator", LABELS "|Gt|Lt" },
    { NULL, "affinity.podAffinity." REQUIRED "labelSelector.matchExpressions.operator", LABELS },
    { NULL, "affinity.podAffinity." PREFERRED "podAffinityTerm.labelSelector.matchExpressions.operator", LABELS },
    { NULL, "affinity.podAntiAffinity." REQUIRED "labelSelector.matchExpressions.operator", LABELS },
    { NULL, "affinity.podAntiAffinity." PREFERRED "podAffinityTerm.labelSelector.matchExpressions.operator", LABELS },
    { NULL, "topologySpreadConstraints.labelSelector.matchExpressions.operator", LABELS },
    { NULL, "topologySpreadConstraints.nodeAffinityPolicy", "Honor|Ignore" },
    { NULL, "topologySpreadConstraints.nodeTaintsPolicy", "Honor|Ignore" },
    { NULL, "containers.env.valueFrom.fieldRef.fieldPath", FIELD_PATHS },
    { NULL, "initContainers.env.valueFrom.fieldRef.fieldPath", FIELD_PATHS },
    { NULL, "volumes.downwardAPI.items.fieldRef.fieldPath", FILE_PATHS },
    { NULL, "volumes.projected.sources.downwardAPI.items.fieldRef.fieldPath", FILE_PATHS },
    { NULL, "containers.env.valueFrom.resourceFieldRef.resource", AMOUNTS },
    { NULL, "initContainers.env.valueFrom.resourceFieldRef.resource", AMOUNTS },
    { NULL, "volumes.downwardAPI.items.resourceFieldRef.resource", AMOUNTS },
    { NULL, "containers.terminationMessagePolicy", "File|FallbackToLogsOnError" },
    { NULL, "containers.volumeMounts.mountPropagation", "None|HostToContainer|Bidirectional" },
    { NULL, "containers.livenessProbe.httpGet.scheme", "HTTP|HTTPS" },
    { NULL, "containers.readinessProbe.httpGet.scheme", "HTTP|HTTPS" },
    { NULL, "containers.startupProbe.httpGet.scheme", "HTTP|HTTPS" },
    { NULL, "initContainers.ports.protocol", "TCP|UDP|SCTP" },
    { NULL, "initContainers.terminationMessagePolicy", "File|FallbackToLogsOnError" },
    { NULL, "initContainers.volumeMounts.mountPropagation", "None|HostToContainer|Bidirectional" },
    { NULL, "containers.volumeMounts.recursiveReadOnly", "Disabled|IfPossible|Enabled" },
    { NULL, "initContainers.volumeMounts.recursiveReadOnly", "Disabled|IfPossible|Enabled" },
    { NULL, "containers.resizePolicy.restartPolicy", "NotRequired|RestartContainer" },
    { NULL, "os.name", "linux|windows" },
    { NULL, "securityContext.supplementalGroupsPolicy", "Merge|Strict" },
    { NULL, "volumes.ephemeral.volumeClaimTemplate.spec.accessModes",
      "ReadWriteOnce|ReadOnlyMany|ReadWriteMany|ReadWriteOncePod" },
    { NULL, "volumes.ephemeral.volumeClaimTemplate.spec.volumeMode", "Filesystem|Block" },
    { NULL, "securityContext.fsGroupChangePolicy", "OnRootMismatch|Always" },
    { NULL, "securityContext.seccompProfile.type", "Unconfined|RuntimeDefault|Localhost" },
    { NULL, "containers.securityContext.seccompProfile.type", "Unconfined|RuntimeDefault|Localhost" },
};

// `metadata.labels['app']` names a label. `HugePages-2Mi` names the size of the pages, as `limits.hugepages-2Mi` does. Another program fills in `$POLICY` or `<policy>`.
static bool is_other(Str word) {
    static const char *const STARTS[] = { "metadata.labels['", "metadata.annotations['", "HugePages-",
                                          "limits.hugepages-", "requests.hugepages-" };
    return word.len == 0 || str_starts_with_any(word, STARTS, COUNT_OF(STARTS)) ||
           memchr("$<{[%@", word.data[0], 6) != NULL;
}

void object_check_word(const Rules *rules, const PlanObject *object, Str key, Str words, const Value *value) {
    if (words_have(words, value->string) || is_other(value->string)) {
        return;
    }
    Diag *diag = plan_report(rules->session, object->subject, value->span, DIAG(object_word), STR_ARG(key),
                             STR_ARG(value->string));
    rule_suggest_words(rules, diag, value->string, words, value->span);
}

// `path` is what is left of the row's.
static void check_path(const Rules *rules, const PlanObject *object, const WordRow *row, Str path, const Value *value) {
    if (value == NULL) {
        return;
    }
    const size_t dot = str_find(path, STR("."), 0);
    if (value->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < value->list.count; i++) {
            check_path(rules, object, row, path, value->list.items[i]);
        }
    } else if (path.len > 0) {
        const char *key = str_c(rules->session->arena, str_slice(path, 0, dot));
        check_path(rules, object, row, str_slice(path, dot + 1, path.len), object_get(value, key));
    } else if (value->kind == VALUE_STRING) {
        object_check_word(rules, object, str_after_last(str_of(row->path), '.'), str_of(row->words), value);
    }
}

// Kubernetes refuses a toleration of any value that names one.
static void check_tolerations(const Rules *rules, const PlanObject *object, const Value *pod) {
    const Value *list = object_get(pod, "tolerations");
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

// The runtime of a container writes `CAP_` before each of these, whatever its case, and one that the kernel does not know is
// left out. A program may fill in the others.
// source: Kubernetes, Configure a Security Context for a Pod or Container; containerd, pkg/cri, WithCapabilities; Linux,
// capabilities(7), 2026-11, read 2026-11
static const char CAPABILITIES[] =
    "ALL|AUDIT_CONTROL|AUDIT_READ|AUDIT_WRITE|BLOCK_SUSPEND|BPF|CHECKPOINT_RESTORE|CHOWN|DAC_OVERRIDE|"
    "DAC_READ_SEARCH|FOWNER|FSETID|IPC_LOCK|IPC_OWNER|KILL|LEASE|LINUX_IMMUTABLE|MAC_ADMIN|MAC_OVERRIDE|MKNOD|"
    "NET_ADMIN|NET_BIND_SERVICE|NET_BROADCAST|NET_RAW|PERFMON|SETFCAP|SETGID|SETPCAP|SETUID|SYS_ADMIN|SYS_BOOT|"
    "SYS_CHROOT|SYS_MODULE|SYS_NICE|SYS_PACCT|SYS_PTRACE|SYS_RAWIO|SYS_RESOURCE|SYS_TIME|SYS_TTY_CONFIG|SYSLOG|"
    "WAKE_ALARM";

static void check_capability(const Rules *rules, const PlanObject *object, Str key, const Value *value) {
    const Str text = object_text(value);
    const Str start = STR("CAP_");
    const Str rest = str_slice(text, start.len, text.len);
    if (text.len == 0 || is_other(text) || words_have_in_any_case(STR(CAPABILITIES), text)) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, object->subject, value->span, DIAG(object_word), STR_ARG(key), STR_ARG(text));
    if (str_starts_with(text, start) && words_have(STR(CAPABILITIES), rest)) {
        diag_note(rules->session, diag, "the runtime of the container writes `CAP_` before it");
        rule_write_at(rules, diag, value->span, text, rest);
    } else {
        rule_suggest_words(rules, diag, text, STR(CAPABILITIES), value->span);
    }
}

static void check_capabilities(const Rules *rules, const PlanObject *object, const Value *pod) {
    static const char *const LISTS[] = { "containers", "initContainers" };
    static const char *const KEYS[] = { "add", "drop" };
    for (size_t i = 0; i < COUNT_OF(LISTS) * COUNT_OF(KEYS); i++) {
        const Value *containers = object_get(pod, LISTS[i / COUNT_OF(KEYS)]);
        const char *key = KEYS[i % COUNT_OF(KEYS)];
        for (uint32_t k = 0; k < object_count(containers); k++) {
            const Value *context = object_get(containers->list.items[k], "securityContext");
            const Value *words = object_get(object_get(context, "capabilities"), key);
            for (uint32_t n = 0; n < object_count(words); n++) {
                check_capability(rules, object, str_of(key), words->list.items[n]);
            }
        }
    }
}

void rule_object_words(const Rules *rules, const PlanObject *object) {
    for (size_t i = 0; i < COUNT_OF(WORDS) && !object->is_changed; i++) {
        if (str_is(object->resource->type, WORDS[i].type)) {
            check_path(rules, object, &WORDS[i], str_of(WORDS[i].path), object->fields);
        }
    }
    for (uint32_t i = 0; !object->is_changed && i < object->pods.count; i++) {
        for (size_t k = 0; k < COUNT_OF(OF_PODS); k++) {
            check_path(rules, object, &OF_PODS[k], str_of(OF_PODS[k].path), object->pods.items[i].spec);
        }
        check_tolerations(rules, object, object->pods.items[i].spec);
        check_capabilities(rules, object, object->pods.items[i].spec);
    }
}

// ---- jobs of Kubeflow ------------------------------------------------------------------------------------------

// kubeflow/training-operator v1.9.0 pkg/webhooks/pytorch; kubeflow/mpi-operator@caa3c47f pkg/apis/kubeflow/validation and
// v2beta1/default.go; read 2026-11-26.
typedef struct {
    const char *type;
    const char *replicas;  // the map of groups
    const char *lead;      // its first group, of one pod
    const char *container; // that each pod has; NULL: any
    const char *counted;   // the group that has no pods where it says no number; NULL: each has one then
    const char *groups;    // that it knows
    const char *needed;    // one of them; NULL: it takes any
} OperatorRow;

#define KUBEFLOW "kubeflow.org/v1/"

static const OperatorRow OPERATORS[] = {
    { KUBEFLOW "PyTorchJob", "pytorchReplicaSpecs", "Master", "pytorch", NULL, "Master|Worker", NULL },
    { "kubeflow.org/v2beta1/MPIJob", "mpiReplicaSpecs", "Launcher", NULL, "Worker", "Launcher|Worker", "Launcher" },
    { KUBEFLOW "TFJob", "tfReplicaSpecs", "Chief", "tensorflow", NULL, "Chief|Master|Worker|PS|Evaluator", NULL },
    { KUBEFLOW "XGBoostJob", "xgbReplicaSpecs", "Master", "xgboost", NULL, "Master|Worker", "Master" },
    { KUBEFLOW "PaddleJob", "paddleReplicaSpecs", "", "paddle", NULL, "Master|Worker", NULL },
    { KUBEFLOW "JAXJob", "jaxReplicaSpecs", "", "jax", NULL, "Worker", NULL },
};

// "no container is called" and a name.
static Diag *refuse_job(const Rules *rules, const PlanObject *object, Span span, const char *what, const char *name) {
    Arena *arena = rules->session->arena;
    const char *why = str_c(arena, str_format(arena, "%s `%s`", what, name));
    return plan_report(rules->session, object->subject, span, DIAG(operator_refuses), why);
}

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
        Diag *diag = refuse_job(rules, object, other->span, "no container is called", wanted);
        diag_help(rules->session, diag, "call the container that trains `%s`", wanted);
        if (object_count(containers) == 1) {
            rule_replace(rules, diag, other->span, other->string, str_of(wanted));
        }
    }
}

// The word of a worker that only waits; NULL: it does something else, or nobody knows.
static const Value *sleep_of(const Value *container) {
    const Value *command = object_get(container, "command");
    const uint32_t count = object_count(command);
    for (uint32_t i = 0; i < count; i++) {
        const Str text = str_trim(object_text(command->list.items[i]));
        const bool is_last = i + 1 == count && object_get(container, "args") == NULL;
        if (i == 0 && str_is(str_after_last(text, '/'), "sleep")) {
            return command->list.items[i];
        }
        if (is_last && i == 2 && str_starts_with(text, STR("sleep ")) && !str_has(text, ";") && !str_has(text, "&") &&
            !str_has(text, "\n")) {
            return command->list.items[i];
        }
    }
    return NULL;
}

// The operator has a worker run sshd where its first container says neither `command` nor `args`: mpirun comes that way.
static void check_worker(const Rules *rules, const PlanObject *object, const Value *group) {
    const Value *containers = object_get(object_get(object_get(group, "template"), "spec"), "containers");
    const Value *sleep = object_count(containers) == 1 ? sleep_of(containers->list.items[0]) : NULL;
    if (sleep != NULL) {
        Diag *diag = plan_report(rules->session, object->subject, sleep->span, DIAG(operator_refuses),
                                 "its workers sleep, and do not answer mpirun");
        diag_help(rules->session, diag, "leave `command` out, and the workers run sshd");
        rule_remove(rules, diag, sleep->span, false);
    }
}

static void check_groups(const Rules *rules, const PlanObject *object, const OperatorRow *row, const Value *groups) {
    Session *session = rules->session;
    bool has_needed = row->needed == NULL || groups == NULL || groups->kind != VALUE_MAP;
    for (uint32_t i = 0; groups != NULL && groups->kind == VALUE_MAP && i < groups->map.count; i++) {
        const ValueEntry *entry = &groups->map.entries[i];
        has_needed = has_needed || str_is_in_any_case(entry->key, row->needed) || is_other(entry->key);
        if (words_have_in_any_case(str_of(row->groups), entry->key) || is_other(entry->key)) {
            continue;
        }
        has_needed = true; // a misspelt one is said once
        const char *key = str_c(session->arena, entry->key);
        Diag *diag = refuse_job(rules, object, entry->key_span, "it knows no group", key);
        rule_suggest_words(rules, diag, entry->key, str_of(row->groups), entry->key_span);
    }
    if (!has_needed) {
        const Value *name = object_get(object_get(object->fields, "metadata"), "name");
        const Span span = name == NULL ? groups->span : name->span;
        Diag *diag = refuse_job(rules, object, span, "it has no group", row->needed);
        diag_help(session, diag, "write `%s` into `%s`", row->needed, row->replicas);
    }
}

static void check_job(const Rules *rules, const PlanObject *object, const OperatorRow *row) {
    const Value *groups = object_get(object_get(object->fields, "spec"), row->replicas);
    check_groups(rules, object, row, groups);
    const Value *count = object_get(object_get(groups, row->lead), "replicas");
    if (object_int32(count, 1) > 1) {
        Diag *diag =
            plan_report(rules->session, object->subject, count->span, DIAG(operator_refuses), "its first pod is one");
        diag_help(rules->session, diag, "write `replicas: 1`, and the others under `Worker`");
        if (strcmp(row->lead, "Launcher") == 0) {
            rule_replace(rules, diag, count->span, str_format(rules->session->arena, "%" PRId64, count->integer),
                         STR("1"));
        }
    }
    const Value *counted = row->counted == NULL ? NULL : object_get(groups, row->counted);
    if (counted != NULL && counted->kind == VALUE_MAP && object_get(counted, "replicas") == NULL) {
        Diag *diag = plan_report(rules->session, object->subject, counted->span, DIAG(operator_refuses),
                                 "`Worker` has no `replicas`, which are 0 then");
        diag_help(rules->session, diag, "write `replicas` beside its `template`");
    }
    if (counted != NULL) {
        check_worker(rules, object, counted);
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
