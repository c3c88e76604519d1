// What eksctl installs by itself is left to it where that does: it knows the cluster's types, runs on every node that
// has the device, and on none that lacks it. Otherwise there is a plugin of ours, under the same name.
#include "emitters/devices.h"

static const DeviceRow DEVICE_ROWS[DEVICE_COUNT] = {
    // NVIDIA/k8s-device-plugin@1b826acc, 2026-08; eksctl-io/eksctl@99984adb pkg/addons/assets, 2026-08.
    [DEVICE_NVIDIA] = { "nvidia", "NVIDIA's device plugin", "v0.20.0", "v0.20.0", "nvidia.com/gpu" },
    // aws/eks-charts@52396092 stable/aws-efa-k8s-device-plugin, 2026-08.
    [DEVICE_EFA] = { "efa", "the EFA device plugin", "v0.5.20", "v0.5.4", "aws.amazon.com/efa" },
    // eksctl-io/eksctl@99984adb pkg/addons/assets/neuron-device-plugin.yaml, 2026-08.
    [DEVICE_NEURON] = { "neuron", "the Neuron device plugin", "2.23.30.0", "2.23.30.0", "aws.amazon.com/neuron" },
};

// Families whose types eksctl's EFA plugin runs on, as far as they have EFA, and types of these that it lacks:
// eksctl-io/eksctl@99984adb pkg/addons/assets/efa-device-plugin.yaml, 2026-08.
static const char *const EKSCTL_EFA_FAMILIES[] = {
    "c5n",  "c6a",  "c6gn", "c6i",  "c6id", "c6in",  "c7a",    "c7g",   "c7gd",  "c7gn",  "c7i",    "dl1",    "dl2q",
    "g4dn", "g5",   "g6",   "g6e",  "gr6",  "hpc6a", "hpc6id", "hpc7a", "hpc7g", "i3en",  "i4g",    "i4i",    "im4gn",
    "inf1", "m5dn", "m5n",  "m5zn", "m6a",  "m6i",   "m6id",   "m6idn", "m6in",  "m7a",   "m7g",    "m7gd",   "m7i",
    "p3dn", "p4d",  "p4de", "p5",   "p5e",  "p5en",  "r5dn",   "r5n",   "r6a",   "r6i",   "r6id",   "r6idn",  "r6in",
    "r7a",  "r7g",  "r7gd", "r7i",  "r7iz", "trn1",  "trn1n",  "trn2",  "vt1",   "x2idn", "x2iedn", "x2iezn",
};
static const char *const EKSCTL_EFA_LACKS[] = {
    "c7gd.metal", "c7gn.metal", "m7gd.metal", "p5.4xlarge", "r7gd.metal", "trn2.3xlarge",
};

// The same of its Neuron plugin.
static const char *const EKSCTL_NEURON_FAMILIES[] = { "inf1", "inf2", "trn1", "trn1n", "trn2", "trn2u" };
static const char *const EKSCTL_NEURON_LACKS[] = { "trn2.3xlarge" };

typedef struct {
    const char *region;
    const char *account;
} RegistryRow;

static const char REGISTRY_ELSEWHERE[] = "602401143452";

// eksctl-io/eksctl@99984adb pkg/apis/eksctl.io/v1alpha5/types.go, 2026-08.
static const RegistryRow REGISTRY_ROWS[] = {
    { "af-south-1", "877085696533" },     { "ap-east-1", "800184023465" },      { "ap-east-2", "533267051163" },
    { "ap-south-2", "900889452093" },     { "ap-southeast-3", "296578399912" }, { "ap-southeast-4", "491585149902" },
    { "ap-southeast-5", "151610086707" }, { "ap-southeast-6", "333609536671" }, { "ap-southeast-7", "121268973566" },
    { "ca-west-1", "761377655185" },      { "cn-north-1", "918309763551" },     { "cn-northwest-1", "961992271922" },
    { "eu-central-2", "900612956339" },   { "eu-south-1", "590381155156" },     { "eu-south-2", "455263428931" },
    { "il-central-1", "066635153087" },   { "me-central-1", "759879836304" },   { "me-south-1", "558608220178" },
    { "mx-central-1", "730335286997" },   { "us-gov-east-1", "151742754352" },  { "us-gov-west-1", "013241004608" },
};

const DeviceRow *device_row(Device device) {
    return &DEVICE_ROWS[device];
}

const char *device_registry(Str region) {
    for (size_t i = 0; i < COUNT_OF(REGISTRY_ROWS); i++) {
        if (str_is(region, REGISTRY_ROWS[i].region)) {
            return REGISTRY_ROWS[i].account;
        }
    }
    return REGISTRY_ELSEWHERE;
}

const PlanAddon *device_addon(const PlanCluster *cluster, const char *addon) {
    for (uint32_t i = 0; i < cluster->eks.addons.count; i++) {
        if (str_is(cluster->eks.addons.items[i]->head.id, addon)) {
            return cluster->eks.addons.items[i];
        }
    }
    return NULL;
}

// Bottlerocket has the plugin inside; Ubuntu's images of EKS come without NVIDIA's driver, so a plugin would find
// nothing (https://docs.aws.amazon.com/eks/latest/eksctl/gpu-support.html, 2026-11).
static bool has_nvidia_driver(const PlanNodes *nodes) {
    return str_starts_with(nodes->cluster->os->string, STR("al2"));
}

bool device_is_on(Device device, const PlanNodes *nodes) {
    switch (device) {
    case DEVICE_NVIDIA:
        return nodes->instance->accelerator == ACCELERATOR_NVIDIA && has_nvidia_driver(nodes);
    case DEVICE_EFA:
        return nodes->efa_count > 0;
    case DEVICE_NEURON:
        return nodes->instance->accelerator == ACCELERATOR_NEURON;
    case DEVICE_COUNT:
        break;
    }
    return false;
}

bool device_is_in(Device device, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (device_is_on(device, cluster->nodes.items[i])) {
            return true;
        }
    }
    return false;
}

// ---- what eksctl does ----------------------------------------------------------------------------------------------

static bool is_one_of(const char *text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

// NVIDIA's plugin runs on every node.
static bool eksctl_selects(Device device, const InstanceRow *type) {
    switch (device) {
    case DEVICE_NVIDIA:
        return true;
    case DEVICE_EFA:
        return type->efa_max > 0 && is_one_of(type->family, EKSCTL_EFA_FAMILIES, COUNT_OF(EKSCTL_EFA_FAMILIES)) &&
               !is_one_of(type->name, EKSCTL_EFA_LACKS, COUNT_OF(EKSCTL_EFA_LACKS));
    case DEVICE_NEURON:
        return is_one_of(type->family, EKSCTL_NEURON_FAMILIES, COUNT_OF(EKSCTL_NEURON_FAMILIES)) &&
               !is_one_of(type->name, EKSCTL_NEURON_LACKS, COUNT_OF(EKSCTL_NEURON_LACKS));
    case DEVICE_COUNT:
        break;
    }
    return false;
}

// Of a launch template of ours eksctl does not ask the type, so that it installs nothing for it.
static bool eksctl_installs(Device device, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (plan_is_of_eksctl(cluster->nodes.items[i]) && device_is_on(device, cluster->nodes.items[i])) {
            return true;
        }
    }
    return false;
}

// A taint that keeps eksctl's plugin away from its nodes; NULL without. For NVIDIA's plugin alone it looks at the
// taints of its groups. A key that is late is none that it tolerates.
static const Value *hostile_taint(Device device, const PlanNodes *nodes) {
    if (device == DEVICE_NVIDIA && plan_is_of_eksctl(nodes)) {
        return NULL;
    }
    for (uint32_t i = 0; i < nodes->taints->list.count; i++) {
        const Value *taint = nodes->taints->list.items[i];
        const Value *key = taint->tag.arguments[0];
        const Value *effect = taint->tag.arguments[2];
        const bool is_tolerated = key->kind == VALUE_STRING && str_is(key->string, DEVICE_ROWS[device].taint) &&
                                  effect->kind == VALUE_STRING && str_is(effect->string, "NoSchedule");
        const bool is_soft = effect->kind == VALUE_STRING && str_is(effect->string, "PreferNoSchedule");
        if (!is_tolerated && !is_soft) {
            return taint;
        }
    }
    return NULL;
}

static Str reason_of_group(Arena *arena, Device device, const PlanNodes *nodes) {
    const char *eksctl = DEVICE_ROWS[device].eksctl_version;
    if (!device_is_on(device, nodes)) {
        // NVIDIA's does nothing on other nodes; the others end with an error, and are started again and again.
        return device == DEVICE_EFA && eksctl_selects(device, nodes->instance)
                   ? str_format(arena, "eksctl's %s would also run on %.*s, which has no EFA", eksctl,
                                STR_ARG(nodes->head.id))
                   : STR_NONE;
    }
    if (!eksctl_selects(device, nodes->instance)) {
        return str_format(arena, "eksctl's %s does not know %s", eksctl, nodes->instance->name);
    }
    if (hostile_taint(device, nodes) != NULL) {
        return str_format(arena, "eksctl's %s does not tolerate the taints of %.*s", eksctl, STR_ARG(nodes->head.id));
    }
    return STR_NONE;
}

Str device_reason(Arena *arena, Device device, const PlanCluster *cluster) {
    const PlanAddon *addon = device_addon(cluster, DEVICE_ROWS[device].addon);
    if (!device_is_in(device, cluster) || (addon != NULL && addon->off->boolean)) {
        return STR_NONE;
    }
    if (addon != NULL && addon->version != NULL &&
        !str_is(addon->version->string, DEVICE_ROWS[device].eksctl_version)) {
        return str_format(arena, "eksctl's is %s", DEVICE_ROWS[device].eksctl_version);
    }
    if (cluster->eks.existing != NULL) {
        return addon != NULL ? STR("asked for in a running cluster") : STR_NONE; // which has its own for other nodes
    }
    if (!eksctl_installs(device, cluster)) {
        return STR("eksctl installs none for groups whose launch template it does not write");
    }
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const Str reason = reason_of_group(arena, device, cluster->nodes.items[i]);
        if (reason.len > 0) {
            return reason;
        }
    }
    return STR_NONE;
}

// ---- versions ------------------------------------------------------------------------------------------------------

// Types with InfiniBand devices that are NVLink's, and the first plugin that leaves those out:
// aws/sagemaker-hyperpod-cli#282, 2025-09.
static const char *const NVLINK_FAMILIES[] = { "p6-b200", "p6-b300" };
static const int NVLINK_VERSION[] = { 0, 5, 10 };

bool device_counts_efa(Str version, const InstanceRow *type) {
    if (!is_one_of(type->family, NVLINK_FAMILIES, COUNT_OF(NVLINK_FAMILIES)) || !str_starts_with(version, STR("v"))) {
        return true;
    }
    size_t at = 1;
    for (size_t i = 0; i < COUNT_OF(NVLINK_VERSION); i++) {
        int number = 0;
        const size_t start = at;
        while (at < version.len && version.data[at] >= '0' && version.data[at] <= '9' && at - start < 6) {
            number = 10 * number + (version.data[at++] - '0');
        }
        if (at == start || number > NVLINK_VERSION[i]) {
            return true;
        }
        if (number < NVLINK_VERSION[i]) {
            return false;
        }
        at++; // the dot
    }
    return true;
}
