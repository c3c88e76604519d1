// The objects of a cluster on EKS as one file, in the order in which they are applied. Device plugins come first, then
// file systems, then the objects of the author, which may use both.
#include "emitters/kubernetes/kubernetes.h"

#include "compiler/base/shell.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/model/part_files.h"
#include "emitters/node/first_job.h"
#include "emitters/kubernetes/controllers.h"
#include "emitters/kubernetes/manifest.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_values.h"

DocNode *manifest_add(Manifest *manifest, const char *api, const char *kind, Str name, Span span) {
    return manifest_add_as(manifest, api, kind, name, name, span);
}

DocNode *manifest_add_as(Manifest *manifest, const char *api, const char *kind, Str id, Str name, Span span) {
    ToolFile *file = manifest->file;
    Doc *doc = file->doc;
    const Str key = str_format(file->arena, "%s/%.*s", kind, STR_ARG(id));
    if (doc_get(doc_root(doc), key) != NULL) {
        report(file->session, span, DIAG(kubernetes_twice), STR_ARG(key));
        return NULL;
    }
    DocNode *object = doc_put(doc, doc_root(doc), key, doc_map(doc));
    tree_put(doc, object, "apiVersion", tree_text(doc, WHY_KUBERNETES_OBJECT, api));
    tree_put(doc, object, "kind", tree_text(doc, WHY_KUBERNETES_OBJECT, kind));
    DocNode *metadata = tree_put_map(doc, object, "metadata");
    tree_put(doc, metadata, "name", tree_string(doc, WHY_KUBERNETES_OBJECT, name));
    return object;
}

DocNode *manifest_metadata(DocNode *object) {
    return doc_get(object, STR("metadata"));
}

// An object without a namespace is in `default`, or in none at all: one of each kind and name.
static Str namespace_of(const DocNode *object) {
    const DocNode *space = doc_get(doc_get(object, STR("metadata")), STR("namespace"));
    return space != NULL && space->kind == DOC_STRING && !str_is(space->string, "default") ? space->string : STR_NONE;
}

void manifest_check_twice(Manifest *manifest, const DocNode *object, Span span) {
    const Str kind = doc_get(object, STR("kind"))->string;
    const Str name = doc_get(doc_get(object, STR("metadata")), STR("name"))->string;
    for (const DocNode *other = doc_root(manifest->file->doc)->first; other != object; other = other->next) {
        if (str_equal(doc_get(other, STR("kind"))->string, kind) &&
            str_equal(doc_get(doc_get(other, STR("metadata")), STR("name"))->string, name) &&
            str_equal(namespace_of(other), namespace_of(object))) {
            report(manifest->file->session, span, DIAG(kubernetes_twice),
                   STR_ARG(str_format(manifest->file->arena, "%.*s/%.*s", STR_ARG(kind), STR_ARG(name))));
            return;
        }
    }
}

static void report_lost_patches(const Manifest *manifest, const PlanPart *part) {
    const unsigned files = plan_files_of_cluster(manifest->cluster);
    const Str suffix = str_of(manifest->file->suffix);
    for (uint32_t i = 0; i < part->patches.count; i++) {
        const BlockPatch *patch = &part->patches.items[i];
        const bool is_plain = patch->file.len == 0;
        if (is_plain ? plan_files_of_plain_patch(files) == FILE_K8S : str_equal(patch->file, suffix)) {
            report(manifest->file->session, is_plain ? patch->path_span : patch->file_span, DIAG(patch_file),
                   STR_ARG(manifest->cluster->head.id), STR_ARG(suffix));
        }
    }
    for (uint32_t i = 0; i < part->inner.count; i++) {
        report_lost_patches(manifest, part->inner.items[i]);
    }
}

static StrBuf choose_cluster(const Manifest *manifest) {
    StrBuf choose = { .arena = manifest->file->session->arena };
    shell_add(&choose, "aws eks update-kubeconfig --name", manifest->name);
    shell_add_given(&choose, "--region", manifest->cluster->region);
    return choose;
}

Str manifest_with(const Manifest *manifest, Str command) {
    StrBuf choose = choose_cluster(manifest);
    strbuf_add_format(&choose, " && %.*s", STR_ARG(command));
    return strbuf_str(&choose);
}

Str manifest_kubectl(const Manifest *manifest, const char *words) {
    StrBuf choose = choose_cluster(manifest);
    strbuf_add(&choose, STR(" && kubectl"));
    shell_add(&choose, words, manifest->file->step.file);
    return strbuf_str(&choose);
}

// ---- without the file ------------------------------------------------------------------------------------------

// "daemonset.apps/efa": of an apiVersion "apps/v1" or "v1", a kind and a name, as kubectl takes them.
static Str object_word(Arena *arena, const DocNode *object, Str name) {
    const Str kind = doc_get(object, STR("kind"))->string;
    const Str api = doc_get(object, STR("apiVersion"))->string;
    const size_t group = str_find(api, STR("/"), 0);
    StrBuf word = { .arena = arena };
    for (size_t i = 0; i < kind.len; i++) {
        const char c = kind.data[i];
        strbuf_add_char(&word, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
    }
    if (group < api.len) {
        strbuf_add_format(&word, ".%.*s", STR_ARG(str_slice(api, 0, group)));
    }
    strbuf_add_format(&word, "/%.*s", STR_ARG(name));
    return strbuf_str(&word);
}

// Its objects one by one, those of a namespace that stand together at once.
Str manifest_delete_by_name(const Manifest *manifest) {
    StrBuf remove = choose_cluster(manifest);
    Str before = STR_NONE;
    const DocNode *root = doc_root(manifest->file->doc);
    for (DocNode *object = root->first; object != NULL; object = object->next) {
        const DocNode *space = doc_get(manifest_metadata(object), STR("namespace"));
        const Str namespace = space != NULL && space->kind == DOC_STRING ? space->string : STR_NONE;
        if (object == root->first || !str_equal(namespace, before)) {
            strbuf_add(&remove, STR(" && kubectl delete --ignore-not-found"));
            shell_add_given(&remove, "--namespace", namespace);
        }
        before = namespace;
        const Str name = doc_get(manifest_metadata(object), STR("name"))->string;
        shell_add(&remove, "", object_word(manifest->file->arena, object, name));
    }
    return strbuf_str(&remove);
}

static void fill_step(const Manifest *manifest) {
    ToolFile *file = manifest->file;
    Arena *arena = file->session->arena;
    DeploymentStep *step = &file->step;
    if (manifest->maker != NULL) {
        vec_push(arena, &step->needs, manifest->stack);
    }
    if (manifest->cluster->eks != NULL && manifest->maker != NULL) {
        // Before its nodes go: the controller that deletes a file system runs on them.
        const PlanHead *nodes = emitter_nodes_head(file->session, manifest->cluster);
        vec_push(arena, &step->follows, str_format(arena, "%.*s.eksctl.yaml", STR_ARG(nodes->id)));
    }
    step->key = step->file;
    step->apply = manifest_kubectl(manifest, "apply -f");
    if (manifest->name.len > 0) { // else it is missing, and nobody can be asked
        step->remove = manifest_kubectl(manifest, "delete --ignore-not-found -f");
    }
}

// A plugin has one name in a cluster: what one block's file says of it has to hold for the nodes of the others.
static void add_groups(Manifest *manifest, const Plan *plan) {
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        const PlanCluster *other = plan->clusters.items[i];
        const bool is_same = other == manifest->cluster || (manifest->maker != NULL && other->eks != NULL &&
                                                            plan_eks_maker(plan, other) == manifest->maker);
        for (uint32_t k = 0; is_same && k < other->nodes.count; k++) {
            vec_push(manifest->file->session->arena, &manifest->groups, other->nodes.items[k]);
        }
    }
}

static Manifest manifest_open(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output) {
    ToolFile *file = tool_open(session, plan, &cluster->head, "k8s", "kubernetes");
    file->has_documents = true;
    file->step.region = cluster->region;
    const Value *name = plan_eks_name(cluster);
    Manifest manifest = { .file = file, .cluster = cluster, .output = output };
    manifest.name = str_copy(session->arena, tool_text(file, name));
    manifest.stack = plan_eksctl_stack(session->arena, manifest.name);
    manifest.maker = plan_eks_maker(plan, cluster);
    add_groups(&manifest, plan);
    return manifest;
}

static void emit_first_jobs(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (first_job_is_wanted(nodes)) {
            Manifest manifest = manifest_open(session, plan, cluster, output);
            kubernetes_first_job(&manifest, nodes);
            if (nodes->validate->job != NULL) {
                manifest = manifest_open(session, plan, cluster, output);
                kubernetes_accelerators_job(&manifest, nodes);
            }
        }
    }
}

static void emit_jobs(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output) {
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        if (emitter_is_full(session, output, cluster->jobs.items[i]->head.subject)) {
            return;
        }
        Manifest manifest = manifest_open(session, plan, cluster, output);
        kubernetes_job(&manifest, cluster->jobs.items[i]);
    }
}

static void emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output) {
    Manifest manifest = manifest_open(session, plan, cluster, output);
    ToolFile *file = manifest.file;
    vec_push(file->arena, &file->parts, cluster->head.part);
    fill_step(&manifest);
    doc_because(file->doc, cluster->head.origin);
    kubernetes_plugins(&manifest);
    kubernetes_storage(&manifest);
    kubernetes_resources(&manifest);
    doc_unbecause(file->doc);
    const bool has_objects = doc_count(doc_root(file->doc)) > 0;
    file->remove_by_name = manifest_delete_by_name(&manifest);
    if (has_objects && cluster->region.len == 0) { // of a running cluster: its registry and file systems have one
        Diag *diag = report(session, cluster->head.subject->name_span, DIAG(region_unknown), STR_ARG(cluster->head.id));
        diag_help(session, diag, "write `region = \"us-east-1\"` in its network");
    }
    if (has_objects) {
        controllers_add_of_objects(&manifest, &file->step);
        tool_write(file, output);
    } else {
        report_lost_patches(&manifest, cluster->head.part);
        arena_destroy(file->arena);
    }
}

void kubernetes_emit(Session *session, const Plan *plan, Output *output) {
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        const PlanCluster *cluster = plan->clusters.items[i];
        if (cluster->target == TARGET_EKS) {
            if (emitter_is_full(session, output, cluster->head.subject)) {
                return;
            }
            emit(session, plan, cluster, output);
            emit_first_jobs(session, plan, cluster, output);
            emit_jobs(session, plan, cluster, output);
        }
    }
}
