// Rules about the addresses at which the pods of a job look for each other. Kubernetes takes any text for one; the pods
// then wait until a timeout.
#include "compiler/plan/rules/pod_address.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/object_value.h"

// ---- whom a pod asks -----------------------------------------------------------------------------------------------

static bool is_true(const Value *value) {
    return value != NULL && value->kind == VALUE_BOOL && value->boolean;
}

// What makes a pod ask the DNS of its node, which knows no name of the cluster: Kubernetes, DNS for Services and Pods,
// Pod's DNS Policy, read 2026-11. NULL where it asks that of the cluster, or nobody knows.
static const Value *cause_of_node_dns(const Value *pod) {
    const Value *policy = object_get(pod, "dnsPolicy");
    const Value *host = object_get(pod, "hostNetwork");
    if (object_get(pod, "dnsConfig") != NULL || object_get(pod, "hostAliases") != NULL) {
        return NULL;
    }
    if (str_is(object_text(policy), "Default")) {
        return policy;
    }
    const bool is_first = policy == NULL || str_is(object_text(policy), "ClusterFirst");
    return is_first && is_true(host) ? host : NULL;
}

// These leave the policy of a pod as it is written: kubeflow/training-operator v1.9.0, volcano-sh/volcano@ed72c7c8, read
// 2026-11. Of other makers nobody knows.
static bool keeps_policy(const PlanObject *object) {
    static const char *const STARTS[] = { "v1/Pod",
                                          "apps/",
                                          "batch/",
                                          "batch.volcano.sh/",
                                          "jobset.x-k8s.io/",
                                          "leaderworkerset.x-k8s.io/",
                                          "kubeflow.org/v1/PyTorchJob" };
    for (size_t i = 0; i < COUNT_OF(STARTS); i++) {
        if (str_starts_with(object->resource->type, str_of(STARTS[i]))) {
            return true;
        }
    }
    return false;
}

static Diag *say_dns(const Rules *rules, const PlanObject *object, const Value *cause, Str host, Span span) {
    Session *session = rules->session;
    Diag *diag = plan_report(session, object->subject, span, DIAG(pod_dns), STR_ARG(host));
    const bool is_policy = cause->kind == VALUE_STRING;
    diag_label(session, diag, cause->span,
               is_policy ? "of the node" : "with it, `ClusterFirst` is the DNS of the node");
    diag_help(session, diag, is_policy ? "leave `dnsPolicy` out" : "write `dnsPolicy%s` beside `hostNetwork`",
              object->is_manifest ? ": ClusterFirstWithHostNet" : " = \"ClusterFirstWithHostNet\"");
    return diag;
}

static bool check_dns(const Rules *rules, const PlanObject *object, const Value *pod, const Value *cause,
                      const char *key) {
    const Value *containers = object_get(pod, key);
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const PodAddresses addresses = pod_addresses(rules, containers->list.items[i]);
        for (uint32_t k = 0; k < addresses.count; k++) {
            if (pod_is_cluster_name(rules, object, pod, addresses.items[k].host)) {
                say_dns(rules, object, cause, addresses.items[k].host, addresses.items[k].span);
                return true;
            }
        }
    }
    return false;
}

// The operator gives each pod the name of the first one: kubeflow/training-operator v1.9.0,
// pkg/controller.v1/pytorch/master.go, read 2026-11.
static Str master_of_operator(const Rules *rules, const PlanObject *object) {
    const Value *groups = object_get(object_get(object->fields, "spec"), "pytorchReplicaSpecs");
    const bool has_both = object_get(groups, "Master") != NULL && object_get(groups, "Worker") != NULL;
    const Str name = plan_name_of_object(object);
    return has_both && name.len > 0 ? str_format(rules->session->arena, "%.*s-master-0", STR_ARG(name)) : STR_NONE;
}

void rule_pod_dns(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; !object->is_changed && keeps_policy(object) && i < object->pods.count; i++) {
        const Value *pod = object->pods.items[i].spec;
        const Value *cause = cause_of_node_dns(pod);
        if (cause == NULL || check_dns(rules, object, pod, cause, "initContainers") ||
            check_dns(rules, object, pod, cause, "containers")) {
            continue;
        }
        const Str master = master_of_operator(rules, object);
        if (master.len > 0) {
            Diag *diag = say_dns(rules, object, cause, master, cause->span);
            diag_note(rules->session, diag, "the operator gives the pods this name as `MASTER_ADDR`");
            return;
        }
    }
}
