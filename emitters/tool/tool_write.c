// Finishes a tool's file: applies patches, writes the text, and makes the artifact.
#include "emitters/tool/tool_file.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/part_files.h"
#include "emitters/patch.h"
#include "emitters/tool/releases.h"
#include "emitters/tool/tool_tree.h"

enum { NAMED_BYTES_MAX = 200 }; // of names in a message

static bool is_other(const ToolFile *file, const PlanPart *part) {
    for (uint32_t i = 0; i < file->other_parts.count; i++) {
        if (file->other_parts.items[i] == part) {
            return true;
        }
    }
    return false;
}

static bool is_for(const ToolFile *file, const PlanPart *part, const BlockPatch *patch) {
    const unsigned files = plan_files_of(part_root(part));
    const unsigned asked = patch->file.len > 0 ? plan_file_named(patch->file) : plan_files_of_plain_patch(files);
    return (asked & plan_file_named(str_of(file->suffix))) != 0;
}

static bool is_text(const DocNode *node) {
    return node != NULL && (node->kind == DOC_STRING || node->kind == DOC_BLOCK);
}

static bool is_object(const DocNode *node) {
    return node->kind == DOC_MAP && is_text(doc_get(node, STR("apiVersion"))) && is_text(doc_get(node, STR("kind")));
}

// All documents are objects before the patches, so that the first one which is none comes from this patch.
static bool check_objects(const ToolFile *file, const PlanPart *part, const BlockPatch *patch) {
    const DocNode *found = NULL;
    StrBuf objects = { .arena = file->session->arena };
    for (const DocNode *node = doc_root(file->doc)->first; node != NULL; node = node->next) {
        const bool is_right = is_object(node);
        found = is_right || found != NULL ? found : node;
        if (is_right && objects.len < NAMED_BYTES_MAX) {
            strbuf_add_format(&objects, "%s`%.*s`", objects.len == 0 ? "" : ", ", STR_ARG(node->key));
        }
    }
    if (found == NULL && objects.len > 0) {
        return true;
    }
    Diag *diag = plan_report(file->session, part->subject, patch->path_span, DIAG(patch_no_object),
                             STR_ARG(part_root(part)->name),
                             STR_ARG(found == NULL ? patch->path : str_copy(file->session->arena, found->key)));
    diag_help(file->session, diag, "patch what is inside of an object: `\"Kind/name.spec.key\" = …`");
    if (objects.len > 0) {
        diag_note(file->session, diag, "the file has %.*s", STR_ARG(strbuf_str(&objects)));
    } else {
        diag_note(file->session, diag, "the file has no other object");
    }
    return false;
}

// Says whether the file still has the form of its tool.
static bool patch(ToolFile *file, const PlanPart *part) {
    if (is_other(file, part)) {
        return true;
    }
    bool is_whole = true;
    for (uint32_t i = 0; i < part->patches.count; i++) {
        const BlockPatch *patch = &part->patches.items[i];
        if (!is_for(file, part, patch)) {
            continue;
        }
        doc_because(file->doc, origin_span(file->arena, patch->path_span));
        DocNode *node = tool_value(file, patch->value);
        doc_unbecause(file->doc);
        patch_apply(file->doc, part, patch, node);
        is_whole = is_whole && (!file->has_documents || check_objects(file, part, patch));
    }
    for (uint32_t i = 0; i < part->inner.count && is_whole; i++) {
        is_whole = patch(file, part->inner.items[i]);
    }
    return is_whole;
}

void tool_write(ToolFile *file, Output *output) {
    Session *session = file->session;
    bool is_whole = true;
    for (uint32_t i = 0; i < file->parts.count && is_whole; i++) {
        is_whole = patch(file, file->parts.items[i]);
    }
    if (file->missing.count > 0 && file->step.remove.len > 0 && file->remove_by_name.len > 0) {
        file->step.remove = file->remove_by_name;
    }
    Artifact artifact = { .name = file->step.file, .step = file->step, .missing = file->missing };
    if (file->missing.count == 0) {
        DocLines lines = { 0 };
        Str header = emitter_header_with(file->arena, session, file->plan, output, artifact.name);
        const Str release = releases_line(file->arena, file->doc, file->suffix, &file->types);
        if (release.len > 0) {
            header = str_format(file->arena, "%.*s\n%.*s", STR_ARG(header), STR_ARG(release));
        }
        DocLines *wanted = output->wants_map ? &lines : NULL;
        artifact.content = file->has_documents ? yaml_write_documents(session->arena, file->doc, header, wanted)
                                               : yaml_write(session->arena, file->doc, header, wanted);
        if (output->wants_map) {
            artifact.map = doc_map_write(session, session->arena, artifact.name, &lines);
        }
    }
    emitter_add(session, output, artifact);
    arena_destroy(file->arena);
}
