// A rule about labels and annotations that a controller reads, of objects and of pods. Kubernetes takes any; nothing reads one
// that is misspelt, and the pods are queued, placed or evicted as if it were not there.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

// source: kubernetes-sigs/kueue@ff69552e apis/kueue/v1beta2 and pkg/controller/constants; kubernetes-sigs/jobset@08dfbdfd api/jobset/v1alpha2; kubernetes-sigs/lws@060ab4da api/leaderworkerset/v1; kubernetes-sigs/karpenter@22664681 pkg/apis/v1/labels.go; kubernetes/autoscaler cluster-autoscaler/FAQ.md; ray-project/kuberay@feeaf72f ray-operator/controllers/ray/utils/constant.go; volcano-sh/volcano@ed72c7c8, 2026-08, read 2026-11
static const char *const KEYS[] = {
    "kueue.x-k8s.io/queue-name",
    "kueue.x-k8s.io/priority-class",
    "kueue.x-k8s.io/podset-required-topology",
    "kueue.x-k8s.io/podset-preferred-topology",
    "kueue.x-k8s.io/podset-unconstrained-topology",
    "kueue.x-k8s.io/podset-slice-required-topology",
    "kueue.x-k8s.io/podset-slice-size",
    "kueue.x-k8s.io/podset-group-name",
    "kueue.x-k8s.io/pod-group-name",
    "kueue.x-k8s.io/pod-group-total-count",
    "kueue.x-k8s.io/pod-group-fast-admission",
    "kueue.x-k8s.io/pod-group-serving",
    "kueue.x-k8s.io/retriable-in-group",
    "kueue.x-k8s.io/prebuilt-workload-name",
    "kueue.x-k8s.io/max-exec-time-seconds",
    "kueue.x-k8s.io/job-min-parallelism",
    "kueue.x-k8s.io/job-completions-equal-parallelism",
    "kueue.x-k8s.io/elastic-job",
    "alpha.jobset.sigs.k8s.io/exclusive-topology",
    "alpha.jobset.sigs.k8s.io/node-selector",
    "leaderworkerset.sigs.k8s.io/exclusive-topology",
    "leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology",
    "leaderworkerset.sigs.k8s.io/subgroup-size",
    "karpenter.sh/do-not-disrupt",
    "karpenter.sh/do-not-evict",
    "karpenter.sh/do-not-consolidate",
    "cluster-autoscaler.kubernetes.io/safe-to-evict",
    "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes",
    "cluster-autoscaler.kubernetes.io/scale-down-disabled",
    "ray.io/overwrite-container-cmd",
    "ray.io/ft-enabled",
    "ray.io/external-storage-namespace",
    "ray.io/scheduler-name",
    "ray.io/gang-scheduling-enabled",
    "ray.io/priority-class-name",
    "scheduling.k8s.io/group-name",
    "scheduling.volcano.sh/queue-name",
    "sidecar.istio.io/inject",
    "storageclass.kubernetes.io/is-default-class",
};

static void check_map(const Rules *rules, const PlanObject *object, const Value *map) {
    enum { KEYS_MAX = 200 };
    Session *session = rules->session;
    for (uint32_t i = 0; map != NULL && map->kind == VALUE_MAP && i < map->map.count && i < KEYS_MAX; i++) {
        const ValueEntry *entry = &map->map.entries[i];
        if (!str_has(entry->key, "/")) {
            continue;
        }
        Suggestion near = suggest_for(session, entry->key);
        bool is_known = false;
        for (size_t k = 0; k < COUNT_OF(KEYS) && !is_known; k++) {
            is_known = str_is(entry->key, KEYS[k]);
            suggest_offer(&near, str_of(KEYS[k]));
        }
        if (!is_known && suggest_is_sure(&near)) {
            Diag *diag =
                plan_report(session, object->subject, entry->key_span, DIAG(key_misspelt), STR_ARG(entry->key));
            suggest_say(session, diag, &near, entry->key_span);
        }
    }
}

static void check_metadata(const Rules *rules, const PlanObject *object, const Value *metadata) {
    check_map(rules, object, object_get(metadata, "labels"));
    check_map(rules, object, object_get(metadata, "annotations"));
}

void rule_known_keys(const Rules *rules, const PlanObject *object) {
    if (object->is_changed) {
        return;
    }
    const Value *own = object_get(object->fields, "metadata");
    check_metadata(rules, object, own);
    for (uint32_t i = 0; i < object->pods.count; i++) {
        const Value *metadata = object_get(object->pods.items[i].around, "metadata");
        if (metadata != own) {
            check_metadata(rules, object, metadata);
        }
    }
}
