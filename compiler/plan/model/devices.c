// Decides who installs a device plugin. eksctl installs it if it can: it knows the cluster's types, and its plugin runs
// on every node with the device and on no other. Otherwise dtc writes a plugin, under the same name.
#include "compiler/plan/model/devices.h"

#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/maker.h"
#include "schema/names.h"
#include "schema/operating_systems.h"
#include "schema/releases.h"

static const char *const ADDONS[DEVICE_COUNT] = {
    [DEVICE_NVIDIA] = "nvidia",
    [DEVICE_EFA] = "efa",
    [DEVICE_NEURON] = "neuron",
};

const PluginRow *device_row(Device device) {
    const PluginRow *row = schema_plugin(ADDONS[device]);
    assert(row != NULL);
    return row;
}

const PlanAddon *device_addon(const PlanCluster *cluster, const char *addon) {
    for (uint32_t i = 0; i < cluster->eks->addons.count; i++) {
        if (str_is(cluster->eks->addons.items[i]->head.id, addon)) {
            return cluster->eks->addons.items[i];
        }
    }
    return NULL;
}

// Bottlerocket has the plugin inside; where the image has no driver of NVIDIA's, a plugin would find nothing.
static bool wants_nvidia_plugin(const PlanNodes *nodes) {
    return operating_system(nodes->cluster->os->string)->eks_image == EKS_IMAGE_DRIVERS;
}

bool device_is_on(Device device, const PlanNodes *nodes) {
    switch (device) {
    case DEVICE_NVIDIA:
        return nodes->instance->accelerator == ACCELERATOR_NVIDIA && wants_nvidia_plugin(nodes);
    case DEVICE_EFA:
        return nodes->fabric.efa_count > 0;
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

static bool is_among(const char *text, const char *const *words) {
    for (; *words != NULL; words++) {
        if (strcmp(text, *words) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_device(Device device, const InstanceRow *type) {
    switch (device) {
    case DEVICE_NVIDIA:
        return type->accelerator == ACCELERATOR_NVIDIA;
    case DEVICE_EFA:
        return type->efa_max > 0;
    case DEVICE_NEURON:
        return type->accelerator == ACCELERATOR_NEURON;
    case DEVICE_COUNT:
        break;
    }
    return false;
}

static bool eksctl_selects(Device device, const InstanceRow *type) {
    const PluginRow *row = device_row(device);
    return row->eksctl_families == NULL || (has_device(device, type) && is_among(type->family, row->eksctl_families) &&
                                            !is_among(type->name, row->eksctl_lacks));
}

// If dtc writes the launch template, eksctl does not look up its instance type, and installs no plugin for it.
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
    for (uint32_t i = 0; i < nodes->eks->taints->list.count; i++) {
        const Value *taint = nodes->eks->taints->list.items[i];
        const Value *key = taint->tag.arguments[0];
        const Value *effect = taint->tag.arguments[2];
        const bool is_tolerated = key->kind == VALUE_STRING && str_is(key->string, device_row(device)->taint) &&
                                  effect->kind == VALUE_STRING && str_is(effect->string, "NoSchedule");
        const bool is_soft = effect->kind == VALUE_STRING && str_is(effect->string, "PreferNoSchedule");
        if (!is_tolerated && !is_soft) {
            return taint;
        }
    }
    return NULL;
}

// A type of the group that eksctl's plugin selects, or does not; NULL without.
static const InstanceRow *type_where(Device device, const PlanNodes *nodes, bool is_selected) {
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        if (eksctl_selects(device, nodes->types.items[i].row) == is_selected) {
            return nodes->types.items[i].row;
        }
    }
    return NULL;
}

static Str reason_of_group(Arena *arena, Device device, const PlanNodes *nodes) {
    const char *eksctl = device_row(device)->eksctl_version;
    if (!device_is_on(device, nodes)) {
        // NVIDIA's does nothing on other nodes; the others end with an error, and are started again and again.
        return device == DEVICE_EFA && type_where(device, nodes, true) != NULL
                   ? str_format(arena, "eksctl's %s would also run on %.*s, which has no EFA", eksctl,
                                STR_ARG(nodes->head.id))
                   : STR_NONE;
    }
    const InstanceRow *unknown = type_where(device, nodes, false);
    if (unknown != NULL) {
        return str_format(arena, "eksctl's %s does not know %s", eksctl, unknown->name);
    }
    if (hostile_taint(device, nodes) != NULL) {
        return str_format(arena, "eksctl's %s does not tolerate the taints of %.*s", eksctl, STR_ARG(nodes->head.id));
    }
    return STR_NONE;
}

static Str reason_of_groups(Arena *arena, Device device, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const Str reason = reason_of_group(arena, device, cluster->nodes.items[i]);
        if (reason.len > 0) {
            return reason;
        }
    }
    return STR_NONE;
}

// A version that the author asks for; empty where eksctl's is the same.
static Str reason_of_version(Arena *arena, Device device, const PlanAddon *addon) {
    const char *eksctl = device_row(device)->eksctl_version;
    const bool is_asked = addon != NULL && addon->version != NULL && !str_is(addon->version->string, eksctl);
    return is_asked ? str_format(arena, "eksctl's is %s", eksctl) : STR_NONE;
}

static bool is_wanted(Device device, const PlanCluster *cluster) {
    const PlanAddon *addon = device_addon(cluster, device_row(device)->addon);
    return device_is_in(device, cluster) && (addon == NULL || !addon->off->boolean);
}

// For nodes of a block beside the one that makes the cluster. A plugin that the maker's file has runs on them too.
static Str reason_beside(Arena *arena, Device device, const PlanCluster *cluster, const PlanCluster *maker) {
    const PlanAddon *addon = device_addon(maker, device_row(device)->addon);
    if ((addon != NULL && addon->off->boolean) || device_reason(arena, device, maker, maker).len > 0) {
        return STR_NONE;
    }
    return eksctl_installs(device, maker) ? reason_of_groups(arena, device, cluster)
                                          : STR("eksctl installs none for nodes of a stack");
}

Str device_reason(Arena *arena, Device device, const PlanCluster *cluster, const PlanCluster *maker) {
    if (!is_wanted(device, cluster)) {
        return STR_NONE;
    }
    const PlanAddon *addon = device_addon(cluster, device_row(device)->addon);
    const Str version = reason_of_version(arena, device, addon);
    if (version.len > 0) {
        return version;
    }
    if (maker == NULL) {
        return addon != NULL ? STR("asked for in a running cluster") : STR_NONE; // which has its own for other nodes
    }
    if (maker != cluster) {
        return reason_beside(arena, device, cluster, maker);
    }
    return eksctl_installs(device, cluster)
               ? reason_of_groups(arena, device, cluster)
               : STR("eksctl installs none for groups whose launch template it does not write");
}

bool device_is_assumed(Device device, const PlanCluster *cluster, const PlanCluster *maker) {
    return maker == NULL && is_wanted(device, cluster) && device_addon(cluster, device_row(device)->addon) == NULL;
}

// ---- versions ------------------------------------------------------------------------------------------------------

bool device_counts_efa(Str version, const InstanceRow *type) {
    if (!names_have(NAMES_NVLINK_FAMILIES, str_of(type->family)) || !str_starts_with(version, STR("v"))) {
        return true;
    }
    const int *first = release_row(RELEASES_OF_EFA_PLUGIN, "nvlink")->release;
    size_t at = 1;
    for (size_t i = 0; i < RELEASE_PARTS; i++) {
        int number = 0;
        const size_t start = at;
        while (at < version.len && version.data[at] >= '0' && version.data[at] <= '9' && at - start < 6) {
            number = 10 * number + (version.data[at++] - '0');
        }
        if (at == start || number > first[i]) {
            return true;
        }
        if (number < first[i]) {
            return false;
        }
        at++; // the dot
    }
    return true;
}
