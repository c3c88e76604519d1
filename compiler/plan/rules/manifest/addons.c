// Rules about what a cluster on EKS runs beside its groups: device plugins and drivers.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/devices.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/object_value.h"

// ---- add-ons ---------------------------------------------------------------------------------------------------

static void report_unused(const Rules *rules, const PlanCluster *cluster, const PlanAddon *addon) {
    plan_report(rules->session, addon->head.subject, addon->head.subject->name_span, DIAG(addon_without_use),
                STR_ARG(cluster->head.id), STR_ARG(addon->head.id));
}

static void check_driver(const Rules *rules, const PlanCluster *cluster, const char *name, StorageKind kind) {
    const PlanAddon *addon = device_addon(cluster, name);
    for (uint32_t i = 0; addon != NULL && i < cluster->storages.count; i++) {
        addon = cluster->storages.items[i]->kind == kind ? NULL : addon;
    }
    if (addon != NULL) {
        report_unused(rules, cluster, addon);
    }
}

void rule_addons_are_used(const Rules *rules, const PlanCluster *cluster) {
    for (Device device = DEVICE_NVIDIA; device < DEVICE_COUNT; device++) {
        const PlanAddon *addon = device_addon(cluster, device_row(device)->addon);
        if (addon != NULL && !device_is_in(device, cluster)) {
            report_unused(rules, cluster, addon);
        }
    }
    check_driver(rules, cluster, "fsx", STORAGE_LUSTRE);
    check_driver(rules, cluster, "efs", STORAGE_EFS);
}

// ---- plugins that are off --------------------------------------------------------------------------------------

// What a container asks for of a device; NULL where it asks for none.
static const ValueEntry *asked_device(const Value *container, Device device) {
    const Value *limits = object_get(object_get(container, "resources"), "limits");
    for (uint32_t i = 0; limits != NULL && limits->kind == VALUE_MAP && i < limits->map.count; i++) {
        if (str_starts_with(limits->map.entries[i].key, str_of(device_row(device)->resource))) {
            return &limits->map.entries[i];
        }
    }
    return NULL;
}

static const ValueEntry *asked_by_pod(const PlanPod *pod, Device device) {
    static const char *const KEYS[] = { "initContainers", "containers" };
    const ValueEntry *asked = NULL;
    for (size_t k = 0; k < COUNT_OF(KEYS); k++) {
        const Value *containers = object_get(pod->spec, KEYS[k]);
        for (uint32_t i = 0; asked == NULL && i < object_count(containers); i++) {
            asked = asked_device(containers->list.items[i], device);
        }
    }
    return asked;
}

// A plugin and the kubelet talk through a socket in a folder of the host.
static bool may_mount_host(const PlanPod *pod) {
    const Value *volumes = object_get(pod->spec, "volumes");
    for (uint32_t i = 0; i < object_count(volumes); i++) {
        const Value *volume = volumes->list.items[i];
        if (volume->kind != VALUE_MAP || object_get(volume, "hostPath") != NULL) {
            return true;
        }
    }
    return volumes != NULL && volumes->kind != VALUE_LIST;
}

static bool may_be_plugin(const PlanObject *object) {
    bool may_be = object->row == NULL;
    if (plan_object_is(object, IS_DAEMON)) {
        may_be = object->is_changed || object->pods.count == 0;
        for (uint32_t i = 0; i < object->pods.count; i++) {
            may_be = may_be || may_mount_host(&object->pods.items[i]);
        }
    }
    return may_be;
}

// What asks for a device: a resource of a container, a job, or `validate`, whose Job asks for EFA.
typedef struct {
    Str resource; // empty: nothing asks
    Span span;
} Asked;

static Asked asked_by_objects(const PlanCluster *cluster, Device device) {
    for (uint32_t i = 0; i < cluster->eks->objects.count; i++) {
        const PlanObject *object = cluster->eks->objects.items[i];
        for (uint32_t k = 0; !object->is_changed && k < object->pods.count; k++) {
            const ValueEntry *entry = asked_by_pod(&object->pods.items[k], device);
            if (entry != NULL) {
                return (Asked){ .resource = entry->key, .span = entry->key_span };
            }
        }
    }
    return (Asked){ 0 };
}

static Asked asked_by_first_job(const PlanCluster *cluster, Device device) {
    for (uint32_t i = 0; device == DEVICE_EFA && i < cluster->nodes.count; i++) {
        const PlanValidate *validate = cluster->nodes.items[i]->validate;
        if (validate != NULL && validate->first_job > 0 && validate->image != NULL) {
            return (Asked){ .resource = str_of(device_row(device)->resource), .span = validate->image->span };
        }
    }
    return (Asked){ 0 };
}

static int64_t asked_by_job(const PlanJob *job, Device device) {
    switch (device) {
    case DEVICE_NVIDIA:
        return job->gpus->integer;
    case DEVICE_EFA:
        return plan_job_is_multi_node(job) ? job->efa_devices : 0;
    case DEVICE_NEURON:
        return job->group->instance->accelerator == ACCELERATOR_NEURON ? job->group->instance->accelerators : 0;
    case DEVICE_COUNT:
        break;
    }
    return 0;
}

static Asked asked_by_jobs(const PlanCluster *cluster, Device device) {
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        const PlanJob *job = cluster->jobs.items[i];
        if (device_is_on(device, job->group) && asked_by_job(job, device) > 0) {
            return (Asked){ .resource = str_of(device_row(device)->resource), .span = job->head.subject->name_span };
        }
    }
    return (Asked){ 0 };
}

// Nothing too where the author's own objects may bring the plugin: a DaemonSet, or what an operator reads.
static Asked asked_in(const PlanCluster *cluster, Device device) {
    for (uint32_t i = 0; i < cluster->eks->objects.count; i++) {
        if (may_be_plugin(cluster->eks->objects.items[i])) {
            return (Asked){ 0 };
        }
    }
    static Asked (*const ASK[])(const PlanCluster *, Device) = { asked_by_objects, asked_by_jobs, asked_by_first_job };
    Asked asked = { 0 };
    for (size_t i = 0; asked.resource.len == 0 && i < COUNT_OF(ASK); i++) {
        asked = ASK[i](cluster, device);
    }
    return asked;
}

// The first group for which eksctl installs EFA's plugin, whatever `off` says; NULL: none. It has an option for each of its
// plugins but this one.
// source: eksctl-io/eksctl@99984adb pkg/eks/tasks.go, ClusterTasksForNodeGroups: `efaEnabled` of any group, managed or not,
// appends newEFADevicePluginTask; read 2026-11
static const PlanNodes *group_with_plugin(const PlanCluster *cluster, Device device) {
    for (uint32_t i = 0; device == DEVICE_EFA && i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (plan_is_of_eksctl(nodes) && device_is_on(device, nodes)) {
            return nodes;
        }
    }
    return NULL;
}

// Pods that ask for EFA need a plugin from somewhere: without eksctl's, rule_plugins_off() would ask for another one.
static void report_installed(const Rules *rules, const PlanAddon *addon, const PlanNodes *nodes, const Asked *asked) {
    Diag *diag = plan_report(rules->session, addon->head.subject, addon->off->span, DIAG(plugin_of_eksctl),
                             STR_ARG(nodes->head.id));
    diag_label(rules->session, diag, nodes->head.subject->name_span, "eksctl writes its launch template");
    if (asked->resource.len == 0) {
        diag_help(rules->session, diag, "write `launch_template = own` in `nodes %.*s`, or `group = stack`",
                  STR_ARG(nodes->head.id));
        return;
    }
    diag_label(rules->session, diag, asked->span, "pods ask for `%.*s`", STR_ARG(asked->resource));
    diag_help(rules->session, diag, "remove `off`");
    diag_help(rules->session, diag,
              "where something else brings the plugin, write `launch_template = own` in `nodes %.*s`, or `group = "
              "stack`, and say what it is: `allow DT1383, \"…\"`",
              STR_ARG(nodes->head.id));
}

void rule_plugins_off(const Rules *rules, const PlanCluster *cluster) {
    if (cluster->eks->existing != NULL) {
        return;
    }
    for (Device device = DEVICE_NVIDIA; device < DEVICE_COUNT; device++) {
        const PlanAddon *addon = device_addon(cluster, device_row(device)->addon);
        const bool is_off = addon != NULL && addon->off->boolean && device_is_in(device, cluster);
        const PlanNodes *installed = is_off ? group_with_plugin(cluster, device) : NULL;
        const Asked asked = is_off ? asked_in(cluster, device) : (Asked){ 0 };
        if (installed != NULL) {
            report_installed(rules, addon, installed, &asked);
            continue;
        }
        if (asked.resource.len == 0) {
            continue;
        }
        Diag *diag = plan_report(rules->session, addon->head.subject, addon->off->span, DIAG(plugin_off),
                                 STR_ARG(asked.resource), STR_ARG(addon->head.id));
        diag_label(rules->session, diag, asked.span, "is asked for here");
        diag_help(rules->session, diag, "remove `off`, or say what else brings it: `allow DT1383, \"…\"`");
    }
}
