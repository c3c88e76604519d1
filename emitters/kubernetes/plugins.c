// Device plugins as DaemonSets, for the nodes that have the device. Names, labels and containers are those of eksctl's
// own plugin, so that `kubectl apply` changes it into this one. A selector cannot be changed. What eksctl wrote stays
// if a manifest does not mention it.
//
// From Kubernetes 1.34 on, EKS recommends the EFA DRA driver (DRANET) for new deployments with managed and self-managed
// groups. It still supports the plugin (EKS User Guide, Manage EFA devices on Amazon EKS, 2026-11). dtc stays with the
// plugin. Pods ask the plugin for `vpc.amazonaws.com/efa`. The driver needs a ResourceClaim in every pod and does not
// work with Karpenter. eksctl installs the plugin with its own groups, so that a driver beside it would offer each
// interface twice.
#include "compiler/plan/model/devices.h"
#include "compiler/plan/model/declared_group.h"
#include "emitters/kubernetes/manifest.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_values.h"

static const char NAMESPACE[] = "kube-system";
static const char PLUGINS_PATH[] = "/var/lib/kubelet/device-plugins";

// What the plugins differ in.
typedef struct {
    const char *name;      // of the DaemonSet
    const char *label;     // that its selector asks for
    const char *app_label; // a second one; NULL
    const char *container;
    const char *volume; // of the kubelet's socket
} WrittenPlugin;

// As in eksctl-io/eksctl@99984adb pkg/addons/assets, 2026-08.
static const WrittenPlugin WRITTEN_PLUGINS[DEVICE_COUNT] = {
    [DEVICE_NVIDIA] = { "nvidia-device-plugin-daemonset", "nvidia-device-plugin-ds", NULL, "nvidia-device-plugin-ctr",
                        "kubelet-device-plugins-dir" },
    [DEVICE_EFA] = { "aws-efa-k8s-device-plugin", "aws-efa-k8s-device-plugin", NULL, "aws-efa-k8s-device-plugin",
                     "device-plugin" },
    [DEVICE_NEURON] = { "neuron-device-plugin", "neuron-device-plugin-ds", "neuron-device-plugin",
                        "neuron-device-plugin", "device-plugin" },
};

static DocNode *text(Manifest *manifest, const char *word) {
    return tree_text(manifest->file->doc, WHY_PLUGIN, word);
}

static void put_namespace(Manifest *manifest, DocNode *map) {
    tree_put(manifest->file->doc, map, "namespace", text(manifest, NAMESPACE));
}

// ---- permissions of Neuron's plugin --------------------------------------------------------------------------------

typedef struct {
    const char *resource;
    const char *verbs[6]; // NULL behind the last
} PermissionRow;

// aws-neuron/neuron-helm-charts@7324cd0e templates/device-plugin/device-plugin-rbac.yaml, 2026-08, read 2026-11.
static const PermissionRow NEURON_PERMISSIONS[] = {
    { "nodes", { "get", "list", "watch" } },
    { "events", { "create", "patch" } },
    { "pods", { "update", "patch", "get", "list", "watch" } },
    { "nodes/status", { "patch", "update" } },
    { "nodes/proxy", { "get", "list" } },
};

static void add_permissions(Manifest *manifest, const char *name, Span span) {
    Doc *doc = manifest->file->doc;
    DocNode *role = manifest_add(manifest, "rbac.authorization.k8s.io/v1", "ClusterRole", str_of(name), span);
    DocNode *account = manifest_add(manifest, "v1", "ServiceAccount", str_of(name), span);
    DocNode *binding = manifest_add(manifest, "rbac.authorization.k8s.io/v1", "ClusterRoleBinding", str_of(name), span);
    DocNode *rules = tree_put_list(doc, role, "rules");
    for (size_t i = 0; i < COUNT_OF(NEURON_PERMISSIONS); i++) {
        DocNode *rule = tree_add_map(doc, rules);
        tree_put(doc, rule, "apiGroups", tree_list_of(doc, text(manifest, "")));
        tree_put(doc, rule, "resources", tree_list_of(doc, text(manifest, NEURON_PERMISSIONS[i].resource)));
        DocNode *verbs = tree_put_list(doc, rule, "verbs");
        for (int k = 0; NEURON_PERMISSIONS[i].verbs[k] != NULL; k++) {
            doc_add(doc, verbs, text(manifest, NEURON_PERMISSIONS[i].verbs[k]));
        }
    }
    put_namespace(manifest, manifest_metadata(account));
    DocNode *reference = tree_put_map(doc, binding, "roleRef");
    tree_put(doc, reference, "apiGroup", text(manifest, "rbac.authorization.k8s.io"));
    tree_put(doc, reference, "kind", text(manifest, "ClusterRole"));
    tree_put(doc, reference, "name", text(manifest, name));
    DocNode *subject = tree_add_map(doc, tree_put_list(doc, binding, "subjects"));
    tree_put(doc, subject, "kind", text(manifest, "ServiceAccount"));
    tree_put(doc, subject, "name", text(manifest, name));
    put_namespace(manifest, subject);
}

// ---- where it runs -------------------------------------------------------------------------------------------------

static DocNode *add_expression(Manifest *manifest, DocNode *list, const char *key, const char *operator) {
    Doc *doc = manifest->file->doc;
    DocNode *expression = tree_add_map(doc, list);
    tree_put(doc, expression, "key", tree_text(doc, WHY_PLUGIN_NODES, key));
    tree_put(doc, expression, "operator", tree_text(doc, WHY_PLUGIN_NODES, operator));
    return tree_put_list(doc, expression, "values");
}

// Whether nodes of the type have the device in one group and lack it in this one: EFA is a choice.
static bool is_bare_twin(const Manifest *manifest, Device device, const PlanNodes *nodes) {
    for (uint32_t i = 0; i < manifest->groups.count; i++) {
        const PlanNodes *other = manifest->groups.items[i];
        for (uint32_t k = 0; !device_is_on(device, nodes) && device_is_on(device, other) && k < other->types.count;
             k++) {
            if (plan_has_type(nodes, other->types.items[k].name->string)) {
                return true;
            }
        }
    }
    return false;
}

static void add_type(Doc *doc, DocNode *types, const PlanGroupType *type) {
    if (!tree_has_text(types, str_of(type->row->name))) {
        doc_because(doc, type->name->origin);
        doc_add(doc, types, tree_text(doc, WHY_PLUGIN_NODES, type->row->name));
        doc_unbecause(doc);
    }
}

static void add_affinity(Manifest *manifest, DocNode *spec, Device device) {
    static const char *const STEPS[] = { "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution" };
    Doc *doc = manifest->file->doc;
    DocNode *map = spec;
    for (size_t i = 0; i < COUNT_OF(STEPS); i++) {
        map = tree_put_map(doc, map, STEPS[i]);
    }
    DocNode *term = tree_add_map(doc, tree_put_list(doc, map, "nodeSelectorTerms"));
    DocNode *expressions = tree_put_list(doc, term, "matchExpressions");
    DocNode *types = add_expression(manifest, expressions, "node.kubernetes.io/instance-type", "In");
    for (uint32_t i = 0; i < manifest->groups.count; i++) {
        const PlanNodes *nodes = manifest->groups.items[i];
        for (uint32_t k = 0; device_is_on(device, nodes) && k < nodes->types.count; k++) {
            add_type(doc, types, &nodes->types.items[k]);
        }
    }
    DocNode *others = NULL;
    for (uint32_t i = 0; i < manifest->groups.count; i++) {
        const PlanNodes *nodes = manifest->groups.items[i];
        if (is_bare_twin(manifest, device, nodes)) {
            // eksctl labels every node with the group that it is of.
            others = others != NULL ? others
                                    : add_expression(manifest, expressions, "alpha.eksctl.io/nodegroup-name", "NotIn");
            doc_because(doc, nodes->head.origin);
            doc_add(doc, others, tree_string(doc, WHY_PLUGIN_NODES, nodes->head.id));
            doc_unbecause(doc);
        }
    }
}

static void add_toleration(Manifest *manifest, DocNode *list, const char *key, const char *effect) {
    Doc *doc = manifest->file->doc;
    DocNode *entry = tree_add_map(doc, list);
    tree_put(doc, entry, "key", text(manifest, key));
    tree_put(doc, entry, "operator", text(manifest, "Exists"));
    if (effect != NULL) {
        tree_put(doc, entry, "effect", text(manifest, effect));
    }
}

static bool is_tolerated(const DocNode *list, Str key, Str effect) {
    for (const DocNode *item = list->first; item != NULL; item = item->next) {
        const DocNode *other = doc_get(item, STR("effect"));
        if (str_equal(doc_get(item, STR("key"))->string, key) && (other == NULL || str_equal(other->string, effect))) {
            return true;
        }
    }
    return false;
}

static void add_tolerations(Manifest *manifest, DocNode *spec, Device device) {
    ToolFile *file = manifest->file;
    DocNode *list = tree_put_list(file->doc, spec, "tolerations");
    add_toleration(manifest, list, "CriticalAddonsOnly", NULL);
    add_toleration(manifest, list, device_row(device)->taint, "NoSchedule");
    for (uint32_t i = 0; i < manifest->groups.count; i++) {
        const PlanNodes *nodes = manifest->groups.items[i];
        for (uint32_t k = 0; device_is_on(device, nodes) && k < nodes->eks->taints->list.count; k++) {
            const Value *taint = nodes->eks->taints->list.items[k];
            const Str key = tool_text(file, taint->tag.arguments[0]);
            const Str effect = tool_text(file, taint->tag.arguments[2]);
            if (is_tolerated(list, key, effect)) {
                continue;
            }
            doc_because(file->doc, taint->origin);
            DocNode *entry = tree_add_map(file->doc, list);
            tree_put(file->doc, entry, "key", tree_string(file->doc, WHY_PLUGIN_TAINTS, key));
            tree_put(file->doc, entry, "operator", tree_text(file->doc, WHY_PLUGIN_TAINTS, "Exists"));
            tree_put(file->doc, entry, "effect", tree_string(file->doc, WHY_PLUGIN_TAINTS, effect));
            doc_unbecause(file->doc);
        }
    }
}

// ---- the container -------------------------------------------------------------------------------------------------

static void add_mount(Manifest *manifest, DocNode *container, DocNode *spec, const char *name, const char *path,
                      const char *type) {
    Doc *doc = manifest->file->doc;
    DocNode *mounts = doc_get(container, STR("volumeMounts"));
    DocNode *volumes = doc_get(spec, STR("volumes"));
    DocNode *mount = tree_add_map(doc, mounts != NULL ? mounts : tree_put_list(doc, container, "volumeMounts"));
    tree_put(doc, mount, "name", text(manifest, name));
    tree_put(doc, mount, "mountPath", text(manifest, path));
    DocNode *volume = tree_add_map(doc, volumes != NULL ? volumes : tree_put_list(doc, spec, "volumes"));
    tree_put(doc, volume, "name", text(manifest, name));
    DocNode *host = tree_put_map(doc, volume, "hostPath");
    tree_put(doc, host, "path", text(manifest, path));
    if (type != NULL) {
        tree_put(doc, host, "type", text(manifest, type));
    }
}

static DocNode *image(Manifest *manifest, Device device) {
    ToolFile *file = manifest->file;
    const PlanAddon *addon = device_addon(manifest->cluster, device_row(device)->addon);
    const Value *asked = addon == NULL ? NULL : addon->version;
    const Str version = asked == NULL ? str_of(device_row(device)->version) : asked->string;
    const RegionRow *region = schema_region(manifest->cluster->region);
    Str name = STR_NONE;
    switch (device) {
    case DEVICE_NVIDIA:
        name = str_format(file->arena, "nvcr.io/nvidia/k8s-device-plugin:%.*s", STR_ARG(version));
        break;
    case DEVICE_EFA:
        name = str_format(file->arena, "%s.dkr.ecr.%.*s.%s/eks/aws-efa-k8s-device-plugin:%.*s",
                          schema_registry(manifest->cluster->region), STR_ARG(manifest->cluster->region),
                          region == NULL ? "amazonaws.com" : region->url_suffix, STR_ARG(version));
        break;
    case DEVICE_NEURON:
        name = str_format(file->arena, "public.ecr.aws/neuron/neuron-device-plugin:%.*s", STR_ARG(version));
        break;
    case DEVICE_COUNT:
        break;
    }
    doc_because(file->doc, asked == NULL ? NULL : asked->origin);
    DocNode *node = tree_string(file->doc, WHY_PLUGIN_IMAGE, name);
    doc_unbecause(file->doc);
    return node;
}

static void drop_capabilities(Manifest *manifest, DocNode *security) {
    Doc *doc = manifest->file->doc;
    tree_put(doc, security, "allowPrivilegeEscalation", tree_bool(doc, WHY_PLUGIN, false));
    tree_put(doc, tree_put_map(doc, security, "capabilities"), "drop", tree_list_of(doc, text(manifest, "ALL")));
}

// EFA's runs with all privileges since v0.5.8: without them it sees no Neuron devices. eksctl's dropped its
// capabilities, and an empty list takes that back.
static void add_efa(Manifest *manifest, DocNode *container, DocNode *spec) {
    Doc *doc = manifest->file->doc;
    DocNode *security = tree_put_map(doc, container, "securityContext");
    tree_put(doc, security, "allowPrivilegeEscalation", tree_bool(doc, WHY_PLUGIN, true));
    tree_put(doc, security, "privileged", tree_bool(doc, WHY_PLUGIN, true));
    tree_put(doc, security, "runAsNonRoot", tree_bool(doc, WHY_PLUGIN, false));
    tree_put(doc, security, "runAsUser", tree_number(doc, WHY_PLUGIN, 0));
    tree_put_list(doc, tree_put_map(doc, security, "capabilities"), "drop");
    DocNode *requests = tree_put_map(doc, tree_put_map(doc, container, "resources"), "requests");
    tree_put(doc, requests, "cpu", text(manifest, "10m"));
    tree_put(doc, requests, "memory", text(manifest, "20Mi"));
    add_mount(manifest, container, spec, WRITTEN_PLUGINS[DEVICE_EFA].volume, PLUGINS_PATH, NULL);
    add_mount(manifest, container, spec, "infiniband-volume", "/dev/infiniband/", NULL);
    add_mount(manifest, container, spec, "neuron-tools", "/opt/aws/neuron/", "DirectoryOrCreate");
}

static void add_neuron(Manifest *manifest, DocNode *container, DocNode *spec) {
    Doc *doc = manifest->file->doc;
    DocNode *variables = tree_put_list(doc, container, "env");
    DocNode *config = tree_add_map(doc, variables);
    tree_put(doc, config, "name", text(manifest, "KUBECONFIG"));
    tree_put(doc, config, "value", text(manifest, "/etc/kubernetes/kubelet.conf"));
    DocNode *node = tree_add_map(doc, variables);
    tree_put(doc, node, "name", text(manifest, "NODE_NAME"));
    tree_put(doc, tree_put_map(doc, tree_put_map(doc, node, "valueFrom"), "fieldRef"), "fieldPath",
             text(manifest, "spec.nodeName"));
    drop_capabilities(manifest, tree_put_map(doc, container, "securityContext"));
    add_mount(manifest, container, spec, WRITTEN_PLUGINS[DEVICE_NEURON].volume, PLUGINS_PATH, NULL);
    add_mount(manifest, container, spec, "infa-map", "/run", NULL);
    add_mount(manifest, container, spec, "aws-config", "/opt/aws", NULL);
    DocNode *mounts = doc_get(container, STR("volumeMounts"));
    tree_put(doc, mounts->last, "readOnly", tree_bool(doc, WHY_PLUGIN, true));
}

static void add_container(Manifest *manifest, DocNode *spec, Device device) {
    Doc *doc = manifest->file->doc;
    DocNode *container = tree_add_map(doc, tree_put_list(doc, spec, "containers"));
    tree_put(doc, container, "name", text(manifest, WRITTEN_PLUGINS[device].container));
    tree_put(doc, container, "image", image(manifest, device));
    switch (device) {
    case DEVICE_NVIDIA:
        drop_capabilities(manifest, tree_put_map(doc, container, "securityContext"));
        add_mount(manifest, container, spec, WRITTEN_PLUGINS[device].volume, PLUGINS_PATH, "Directory");
        break;
    case DEVICE_EFA:
        add_efa(manifest, container, spec);
        break;
    case DEVICE_NEURON:
        add_neuron(manifest, container, spec);
        break;
    case DEVICE_COUNT:
        break;
    }
}

static void put_labels(Manifest *manifest, DocNode *map, const char *key, const WrittenPlugin *row) {
    Doc *doc = manifest->file->doc;
    DocNode *labels = tree_put_map(doc, map, key);
    tree_put(doc, labels, "name", text(manifest, row->label));
    if (row->app_label != NULL) {
        tree_put(doc, labels, "app.kubernetes.io/name", text(manifest, row->app_label));
    }
}

static void add_plugin(Manifest *manifest, Device device) {
    Doc *doc = manifest->file->doc;
    const WrittenPlugin *row = &WRITTEN_PLUGINS[device];
    const Span span = manifest->cluster->head.subject->name_span;
    if (device == DEVICE_NEURON) {
        add_permissions(manifest, row->name, span);
    }
    DocNode *set = manifest_add(manifest, "apps/v1", "DaemonSet", str_of(row->name), span);
    put_namespace(manifest, manifest_metadata(set));
    DocNode *outer = tree_put_map(doc, set, "spec");
    put_labels(manifest, tree_put_map(doc, outer, "selector"), "matchLabels", row);
    tree_put(doc, tree_put_map(doc, outer, "updateStrategy"), "type", text(manifest, "RollingUpdate"));
    DocNode *template = tree_put_map(doc, outer, "template");
    put_labels(manifest, tree_put_map(doc, template, "metadata"), "labels", row);
    DocNode *spec = tree_put_map(doc, template, "spec");
    if (device == DEVICE_NEURON) {
        tree_put(doc, spec, "serviceAccountName", text(manifest, row->name));
    }
    if (device == DEVICE_EFA) {
        tree_put(doc, spec, "automountServiceAccountToken", tree_bool(doc, WHY_PLUGIN, false));
        tree_put(doc, spec, "hostNetwork", tree_bool(doc, WHY_PLUGIN, true));
    }
    tree_put(doc, spec, "priorityClassName", text(manifest, "system-node-critical"));
    add_tolerations(manifest, spec, device);
    add_affinity(manifest, spec, device);
    add_container(manifest, spec, device);
}

// ---- which ---------------------------------------------------------------------------------------------------------

static void decide(Manifest *manifest, Device device, Str reason) {
    Session *session = manifest->file->session;
    const PlanAddon *addon = device_addon(manifest->cluster, device_row(device)->addon);
    const Value *asked = addon == NULL ? NULL : addon->version;
    const Str version = asked == NULL ? str_of(device_row(device)->version) : asked->string;
    const PlanDecision decision = {
        .span = manifest->cluster->head.subject->name_span,
        .subject = manifest->cluster->head.id,
        .text =
            str_format(session->arena, "%s %.*s; %.*s", device_row(device)->title, STR_ARG(version), STR_ARG(reason)),
    };
    vec_push(session->arena, &manifest->output->decisions, decision);
}

// In a cluster that is there, a plugin that is missing leaves all jobs in Pending, and a second one offers each device
// twice: its owner says which.
static void decide_assumed(Manifest *manifest, Device device) {
    Arena *arena = manifest->file->session->arena;
    const PlanDecision decision = {
        .span = manifest->cluster->head.subject->name_span,
        .subject = manifest->cluster->head.id,
        .text = str_format(arena, "%s offers its nodes' devices to pods: if the cluster has none, write `addon %s {}`",
                           device_row(device)->title, device_row(device)->addon),
    };
    vec_push(arena, &manifest->output->decisions, decision);
}

void kubernetes_plugins(Manifest *manifest) {
    for (Device device = DEVICE_NVIDIA; device < DEVICE_COUNT; device++) {
        const PlanAddon *addon = device_addon(manifest->cluster, device_row(device)->addon);
        const Str reason = device_reason(manifest->file->session->arena, device, manifest->cluster, manifest->maker);
        if (reason.len > 0) {
            doc_because(manifest->file->doc, addon == NULL ? NULL : addon->head.origin);
            add_plugin(manifest, device);
            doc_unbecause(manifest->file->doc);
            decide(manifest, device, reason);
        } else if (device_is_assumed(device, manifest->cluster, manifest->maker)) {
            decide_assumed(manifest, device);
        }
    }
}
