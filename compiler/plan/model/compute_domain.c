// Which ComputeDomain the pods of a job belong to.
#include "compiler/plan/model/compute_domain.h"

#include "compiler/plan/model/names.h"
#include "compiler/plan/model/object.h"

static const Value *get(const Value *value, const char *key) {
    const Value *found = value != NULL && value->kind == VALUE_MAP ? value_get(value, key) : NULL;
    return found != NULL && found->kind != VALUE_NULL ? found : NULL;
}

// source: kubernetes-sigs/dra-driver-nvidia-gpu@22407113 api/nvidia.com/resource/v1beta1/computedomain.go, read 2026-11
const Value *plan_domain_template(const PlanObject *object) {
    const Str type = object->resource->type;
    if (!str_starts_with(type, STR("resource.nvidia.com/")) || !str_ends_with(type, STR("/ComputeDomain"))) {
        return NULL;
    }
    const Value *channel = get(get(object->fields, "spec"), "channel");
    return get(get(channel, "resourceClaimTemplate"), "name");
}

static bool has_fabric(const PlanNodes *nodes) {
    return nodes->instance->accelerator == ACCELERATOR_NVIDIA && nodes->instance->ultraserver_sizes[0] > 0;
}

// source: kubernetes-sigs/dra-driver-nvidia-gpu@22407113 deployments/helm/dra-driver-nvidia-gpu/values.yaml, kubeletPlugin.affinity;
// awslabs/amazon-eks-ami@81fec2e8 nodeadm/internal/kubelet/config.go, generateKubeletConfig, 2026-07, read 2026-11
bool plan_nodes_lack_gpu_label(const PlanNodes *nodes) {
    enum { LABELLED_SINCE = 35 };
    const Value *version = nodes->cluster->eks->version;
    return has_fabric(nodes) && value_get(nodes->eks->labels, GPU_LABEL) == NULL &&
           (version == NULL || version->kind != VALUE_STRING ||
            plan_kubernetes_minor(version->string) < LABELLED_SINCE);
}

bool plan_job_wants_channel(const PlanJob *job) {
    return job->eks != NULL && has_fabric(job->group) && plan_job_is_multi_node(job) && job->gpus != NULL &&
           job->gpus->integer > 0;
}

uint32_t plan_job_domains(const PlanJob *job, const PlanObject **last) {
    const PlanEks *eks = job->cluster->eks;
    uint32_t count = 0;
    for (uint32_t i = 0; eks != NULL && i < eks->objects.count; i++) {
        const PlanObject *object = eks->objects.items[i];
        if (plan_domain_template(object) != NULL && str_is(plan_namespace_of_object(object), "default")) {
            *last = object;
            count++;
        }
    }
    return count;
}

const PlanObject *plan_job_domain(const PlanJob *job) {
    const PlanObject *domain = NULL;
    return plan_job_wants_channel(job) && plan_job_domains(job, &domain) == 1 ? domain : NULL;
}
