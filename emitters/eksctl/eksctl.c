// A cluster on EKS as eksctl's ClusterConfig, in the order in which its documentation has the sections. Groups with a
// launch template of ours are in a second file. Their template names the security group of the cluster, which is there
// after eksctl has applied the first file. The stack with the template stands between the two.
#include "emitters/eksctl/eksctl.h"

#include "compiler/base/shell.h"
#include "emitters/eksctl/cluster_config.h"
#include "compiler/plan/model/devices.h"
#include "compiler/plan/model/maker.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_tree.h"

static void add_metadata(ToolFile *file, const PlanCluster *cluster, DocNode *root) {
    Doc *doc = file->doc;
    DocNode *metadata = tree_put_map(doc, root, "metadata");
    tree_put(doc, metadata, "name", tool_value(file, cluster->head.name));
    tree_put(doc, metadata, "region", tree_string(doc, WHY_EKS_REGION, cluster->region));
    tree_put(doc, metadata, "version", tool_value(file, cluster->eks->version));
    if (cluster->tags->map.count > 0) {
        tree_put(doc, metadata, "tags", tool_value(file, cluster->tags));
    }
}

static DocNode *add_head(ToolFile *file, const PlanCluster *cluster) {
    Doc *doc = file->doc;
    DocNode *root = doc_root(doc);
    tree_put(doc, root, "apiVersion", tree_text(doc, WHY_EKSCTL_API, "eksctl.io/v1alpha5"));
    tree_put(doc, root, "kind", tree_text(doc, WHY_EKSCTL_KIND, "ClusterConfig"));
    add_metadata(file, cluster, root);
    tree_put(doc, tree_put_map(doc, root, "iam"), "withOIDC",
             doc_bool(doc, cluster->eks->oidc->boolean, cluster->eks->oidc->origin));
    return root;
}

// eksctl installs plugins for accelerators, unless the cluster brings its own or wants none.
static Str plugin_options(Arena *arena, const PlanCluster *cluster) {
    static const Device DEVICES[] = { DEVICE_NVIDIA, DEVICE_NEURON };
    StrBuf text = { .arena = arena };
    for (size_t i = 0; i < COUNT_OF(DEVICES); i++) {
        const char *addon = device_row(DEVICES[i])->addon;
        const PlanAddon *change = device_addon(cluster, addon);
        if (device_reason(arena, DEVICES[i], cluster, cluster).len > 0 || (change != NULL && change->off->boolean)) {
            strbuf_add_format(&text, " --install-%s-plugin=false", addon);
        }
    }
    return strbuf_str(&text);
}

// `eksctl delete cluster`, of the file or by name.
static Str delete_cluster(Arena *arena, const DeploymentStep *step, bool is_by_name) {
    StrBuf remove = { .arena = arena };
    if (is_by_name) {
        shell_add(&remove, "eksctl delete cluster --name", step->name);
        shell_add_given(&remove, "--region", step->region);
    } else {
        shell_add(&remove, "eksctl delete cluster -f", step->file);
    }
    strbuf_add(&remove, STR(" --disable-nodegroup-eviction --wait"));
    return strbuf_str(&remove);
}

static void fill_step(ToolFile *file, const PlanCluster *cluster) {
    Arena *arena = file->session->arena;
    DeploymentStep *step = &file->step;
    step->region = cluster->region;
    StrBuf apply = { .arena = arena };
    shell_add(&apply, "eksctl create cluster -f", step->file);
    strbuf_add(&apply, plugin_options(arena, cluster));
    step->apply = strbuf_str(&apply);
    step->remove = delete_cluster(arena, step, false);
    file->remove_by_name = delete_cluster(arena, step, true);
}

static void emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output) {
    ToolFile *file = tool_open(session, plan, &cluster->head, "eksctl", "eksctl");
    Doc *doc = file->doc;
    vec_push(file->arena, &file->parts, cluster->head.part);
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (plan_names_own_template(cluster->nodes.items[i])) {
            vec_push(file->arena, &file->other_parts, cluster->nodes.items[i]->head.part);
        }
    }
    doc_because(doc, cluster->head.origin);
    DocNode *root = add_head(file, cluster);
    eksctl_network(file, cluster, root);
    eksctl_endpoints(file, root);
    eksctl_addons(file, cluster, root);
    eksctl_groups(file, output, cluster, root);
    doc_unbecause(doc);
    fill_step(file, cluster);
    tool_write(file, output);
}

void eksctl_emit(Session *session, const Plan *plan, Output *output) {
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        const PlanCluster *cluster = plan->clusters.items[i];
        if (cluster->target == TARGET_EKS && cluster->eks->existing == NULL) {
            if (emitter_is_full(session, output, cluster->head.subject)) {
                return;
            }
            emit(session, plan, cluster, output);
        }
    }
}

// ---- groups with a launch template of ours ---------------------------------------------------------------------

static bool has_templates(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (plan_names_own_template(cluster->nodes.items[i])) {
            return true;
        }
    }
    return false;
}

// A drain that evicts waits for ever where the last node holds CoreDNS, whose budget for disruptions forbids it.
// source: eksctl-io/eksctl#7719; eksctl-io/eksctl@99984adb pkg/ctl/delete/nodegroup.go, 2026-08-21, read 2026-11
static const char DELETE_PODS[] = " --disable-eviction --wait";

// Without a file eksctl deletes one group at a time, and takes no `--approve`.
static Str delete_groups_by_name(Arena *arena, const DeploymentStep *step, const PlanCluster *cluster) {
    StrBuf remove = { .arena = arena };
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (!plan_names_own_template(cluster->nodes.items[i])) {
            continue;
        }
        strbuf_add(&remove, remove.len == 0 ? STR_NONE : STR(" &&"));
        shell_add(&remove, "eksctl delete nodegroup --cluster", step->name);
        shell_add(&remove, "--name", cluster->nodes.items[i]->head.id);
        shell_add_given(&remove, "--region", step->region);
        strbuf_add(&remove, STR(DELETE_PODS));
    }
    return strbuf_str(&remove);
}

static void emit_templates(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output) {
    const PlanHead *head = emitter_nodes_head(session, cluster);
    ToolFile *file = tool_open(session, plan, head, "eksctl", "eksctl");
    DeploymentStep *step = &file->step;
    step->key = step->file;
    step->name = cluster->head.name->string;
    step->region = cluster->region;
    StrBuf apply = { .arena = session->arena };
    shell_add(&apply, "eksctl create nodegroup -f", step->file);
    strbuf_add(&apply, plugin_options(session->arena, cluster));
    step->apply = strbuf_str(&apply);
    StrBuf remove = { .arena = session->arena };
    shell_add(&remove, "eksctl delete nodegroup -f", step->file);
    strbuf_add(&remove, STR(" --approve"));
    strbuf_add(&remove, STR(DELETE_PODS));
    step->remove = strbuf_str(&remove);
    file->remove_by_name = delete_groups_by_name(session->arena, step, cluster);
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (plan_names_own_template(nodes)) {
            vec_push(file->arena, &file->parts, nodes->head.part);
            for (uint32_t k = 0; k < nodes->types.count; k++) {
                vec_push(file->arena, &file->types, nodes->types.items[k].name->string);
            }
        }
    }
    doc_because(file->doc, cluster->head.origin);
    DocNode *root = add_head(file, cluster);
    eksctl_template_groups(file, cluster, root);
    doc_unbecause(file->doc);
    tool_write(file, output);
}

void eksctl_emit_templates(Session *session, const Plan *plan, Output *output) {
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        const PlanCluster *cluster = plan->clusters.items[i];
        const bool is_made = cluster->target == TARGET_EKS;
        if (is_made && cluster->eks->existing == NULL && has_templates(cluster)) {
            if (emitter_is_full(session, output, cluster->head.subject)) {
                return;
            }
            emit_templates(session, plan, cluster, output);
        }
    }
}
