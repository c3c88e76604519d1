// What the files of one run offer each other.
#include "compiler/driver/command/lint_beside.h"

#include "compiler/base/load.h"
#include "compiler/base/yaml_read.h"
#include "compiler/plan/rules/check.h"

BesideOffer beside_offer_of(Str text) {
    static const char *const WORDS[] = { "ClusterConfig",         "Nodegroup",         "karpenter.",
                                         "eks.amazonaws.com/",    "cluster.x-k8s.io/", "Namespace",
                                         "ServiceAccount",        "kueue.x-k8s.io/",   "scheduling.volcano.sh/",
                                         "PersistentVolumeClaim", "ConfigMap" };
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        if (str_find(text, str_of(WORDS[i]), 0) < text.len) {
            return OFFERS_ALL;
        }
    }
    return str_find(text, STR("Export"), 0) < text.len ? OFFERS_NAMES : OFFERS_NOTHING;
}

static Span find_export(Session *session, const SharedExport *export) {
    uint32_t source = 0;
    for (uint32_t i = 1; i < session->sources.count && source == 0; i++) {
        source = str_equal(source_get(session, i)->path, export->path) ? i : 0;
    }
    if (source == 0) {
        const uint32_t before = session->diags.items.count;
        source = source_load(session, export->path, SPAN_NONE);
        diags_forget(session, before);
    }
    const bool is_there = source != 0 && export->end <= source_get(session, source)->text.len;
    return is_there ? (Span){ .source = source, .start = export->start, .end = export->end } : SPAN_NONE;
}

void beside_add(Beside *beside, const Session *session, Str path, const ForeignFile *file) {
    BesideFile added = { .path = str_copy(beside->arena, path) };
    beside->exports.arena = beside->arena;
    beside->exports.find = find_export;
    for (uint32_t i = 0; i < file->plans.count; i++) {
        const Plan *plan = file->plans.items[i];
        added.has_groups = added.has_groups || together_has_groups(plan);
        added.makes_nodes = added.makes_nodes || together_makes_nodes(plan);
        if (plan->file != NULL && plan->file->names != NULL) {
            plan_exports_add(&beside->exports, session, plan->file->names);
        }
    }
    if (file->objects != NULL) {
        together_add_made(beside->arena, &added.made, file->objects);
    }
    if (added.has_groups || added.makes_nodes || added.made.count > 0) {
        vec_push(beside->arena, &beside->files, added);
    }
}

static Str folder_of(Str path) {
    return str_slice(path, 0, path.len - str_after_last(path, '/').len);
}

// ---- Kustomize ------------------------------------------------------------------------------------------------------

// source: kubernetes-sigs/kustomize api/types/var.go and api/konfig/general.go, RecognizedKustomizationFileNames, read 2026-11
static const Data *kustomization_of(Session *session, Str folder) {
    static const char *const NAMES[] = { "kustomization.yaml", "kustomization.yml", "Kustomization" };
    const uint32_t before = session->diags.items.count;
    const Data *document = NULL;
    for (size_t i = 0; document == NULL && i < COUNT_OF(NAMES); i++) {
        const Str path = str_format(session->arena, "%.*s%s", STR_ARG(folder), NAMES[i]);
        const uint32_t source = source_load(session, path, SPAN_NONE);
        document = source == 0 ? NULL : yaml_read(session, source);
    }
    diags_forget(session, before);
    return document;
}

void beside_fill_in(Session *session, Str path, Str text, const ForeignFile *file) {
    if (file->objects == NULL || str_is(path, "-") || !str_has(text, "$(")) {
        return;
    }
    const Data *variables = data_get(kustomization_of(session, folder_of(path)), "vars");
    for (uint32_t i = 0; variables != NULL && variables->kind == DATA_LIST && i < variables->count; i++) {
        const Str name = data_text(variables->items[i], "name");
        if (name.len > 0) {
            vec_push(session->arena, &file->objects->filled_in, name);
        }
    }
}

// ---- manifests -----------------------------------------------------------------------------------------------------

static bool is_beside(const Beside *beside, Str path, Str other) {
    const Str here = folder_of(path);
    const Str there = folder_of(other);
    return str_equal(here, there) ||
           (beside->are_named && (str_starts_with(here, there) || str_starts_with(there, here)));
}

// The groups of another file. What is wrong with that is said where it is linted.
static void read_groups(Session *session, Str path, Together *together) {
    const uint32_t before = session->diags.items.count;
    const uint32_t source = source_load(session, path, SPAN_NONE);
    const ForeignFile file = source == 0 ? (ForeignFile){ 0 } : foreign_read(session, source, FOREIGN_NONE, READ_ALL);
    diags_forget(session, before);
    for (uint32_t i = 0; i < file.plans.count; i++) {
        vec_push(session->arena, &together->plans, (const Plan *)file.plans.items[i]);
    }
}

static void check_objects(Session *session, const Beside *beside, Str path, const ForeignFile *file) {
    Together together = { 0 };
    for (uint32_t i = 0; i < file->plans.count; i++) {
        vec_push(session->arena, &together.plans, (const Plan *)file->plans.items[i]);
        together.is_open = together.is_open || together_makes_nodes(file->plans.items[i]);
    }
    together_add_made(session->arena, &together.made, file->objects);
    for (uint32_t i = 0; i < beside->files.count; i++) {
        const BesideFile *other = &beside->files.items[i];
        if (str_equal(other->path, path) || !is_beside(beside, path, other->path)) {
            continue;
        }
        together.is_open = together.is_open || other->makes_nodes;
        for (uint32_t k = 0; k < other->made.count; k++) {
            vec_push(session->arena, &together.made, other->made.items[k]);
        }
        if (other->has_groups) {
            read_groups(session, other->path, &together);
        }
    }
    together_check(session, file->objects, &together);
}

// ----------------------------------------------------------------------------------------------------------------------

void beside_check(Session *session, const Beside *beside, Str path, const ForeignFile *file) {
    if (file->objects != NULL) {
        check_objects(session, beside, path, file);
    }
    for (uint32_t i = 0; i < file->plans.count; i++) {
        const PlanFile *text = file->plans.items[i]->file;
        if (text != NULL && text->names != NULL) {
            exports_check(session, &beside->exports, text->names, path);
        }
    }
}
