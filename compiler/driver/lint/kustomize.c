// Reads kustomization.yaml.
#include "compiler/driver/lint/kustomize.h"

#include "compiler/base/load.h"
#include "compiler/base/yaml_read.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

// Of a path with a `/`; empty of another one.
static Str folder_of(Str path) {
    return str_slice(path, 0, path.len - str_after_last(path, '/').len);
}

// source: kubernetes-sigs/kustomize api/types/var.go and api/konfig/general.go, RecognizedKustomizationFileNames, read 2026-11
// The source of a folder's file; 0: it has none.
static uint32_t kustomization_in(Session *session, Str folder) {
    static const char *const NAMES[] = { "kustomization.yaml", "kustomization.yml", "Kustomization" };
    const uint32_t before = session->diags.items.count;
    uint32_t source = 0;
    for (size_t i = 0; source == 0 && i < COUNT_OF(NAMES); i++) {
        const Str path = str_format(session->arena, "%.*s%s", STR_ARG(folder), NAMES[i]);
        const bool is_there = access(str_c(session->arena, path), R_OK) == 0;
        source = is_there ? source_load(session, path, SPAN_NONE) : 0;
    }
    diags_forget(session, before);
    return source;
}

static const Data *read_quietly(Session *session, uint32_t source) {
    const uint32_t before = session->diags.items.count;
    const Data *document = source == 0 ? NULL : yaml_read(session, source);
    diags_forget(session, before);
    return document;
}

void kustomize_fill_in(Session *session, Str path, Str text, const ForeignFile *file) {
    if (file->objects == NULL || str_is(path, "-") || !str_has(text, "$(")) {
        return;
    }
    const Data *variables = data_get(read_quietly(session, kustomization_in(session, folder_of(path))), "vars");
    for (uint32_t i = 0; variables != NULL && variables->kind == DATA_LIST && i < variables->count; i++) {
        const Str name = data_text(variables->items[i], "name");
        if (name.len > 0) {
            vec_push(session->arena, &file->objects->filled_in, name);
        }
    }
}

// ---- roles -----------------------------------------------------------------------------------------------------------

// Without `./` in front.
static Str plain(Str path) {
    while (str_starts_with(path, STR("./"))) {
        path = str_slice(path, 2, path.len);
    }
    return path;
}

// Whether an item of a list is the path, or has it as its `path`.
static bool names(const Data *list, Str path) {
    for (uint32_t i = 0; list != NULL && list->kind == DATA_LIST && i < list->count; i++) {
        const Data *item = list->items[i];
        const Str name = item->kind == DATA_STRING ? item->string : data_text(item, "path");
        if (name.len > 0 && str_equal(plain(name), path)) {
            return true;
        }
    }
    return false;
}

// Whether a text can name a file as a patch: behind a word of patches, or anywhere where an alias may stand for the name.
// Each file of a folder asks, and to read the text as YAML each time takes longer.
static bool may_name_patch(Str text, Str name) {
    const size_t patches = str_find(text, STR("patches"), 0);
    const size_t replacements = str_find(text, STR("replacements"), 0);
    const size_t first = patches < replacements ? patches : replacements;
    return first < text.len && str_find(text, name, str_has(text, "&") ? 0 : first) < text.len;
}

// source: kubernetes-sigs/kustomize api/types/kustomization.go, Kustomization, read 2026-11
static bool names_patch(Session *session, uint32_t source, Str path) {
    static const char *const KEYS[] = { "patches", "patchesStrategicMerge", "patchesJson6902", "replacements" };
    if (!may_name_patch(source_get(session, source)->text, str_after_last(path, '/'))) {
        return false;
    }
    const Data *document = read_quietly(session, source);
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        if (names(data_get(document, KEYS[i]), path)) {
            return true;
        }
    }
    return false;
}

KustomizeRole kustomize_role(Session *session, Str path) {
    enum { FOLDERS_MAX = 4 }; // patches stand in a folder below, seldom deeper
    char real[PATH_MAX];
    if (realpath(str_c(session->arena, path), real) == NULL) {
        return KUSTOMIZE_NONE; // standard input
    }
    const Str whole = str_copy(session->arena, str_of(real));
    KustomizeRole role = KUSTOMIZE_NONE;
    Str folder = folder_of(whole);
    for (int i = 0; i < FOLDERS_MAX && folder.len > 1 && role != KUSTOMIZE_PATCH; i++) {
        const uint32_t source = kustomization_in(session, folder);
        const Str rest = str_slice(whole, folder.len, whole.len);
        role = source == 0 ? role : names_patch(session, source, rest) ? KUSTOMIZE_PATCH : KUSTOMIZE_BASE;
        folder = folder_of(str_slice(folder, 0, folder.len - 1));
    }
    return role;
}
