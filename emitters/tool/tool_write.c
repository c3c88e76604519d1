// Finishes a tool's file: applies patches, writes the text, and makes the artifact.
#include "emitters/tool/tool_file.h"

#include "compiler/plan/model/part_files.h"
#include "emitters/patch.h"
#include "emitters/tool/releases.h"
#include "emitters/tool/tool_tree.h"

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

static void patch(ToolFile *file, const PlanPart *part) {
    if (is_other(file, part)) {
        return;
    }
    for (uint32_t i = 0; i < part->patches.count; i++) {
        const BlockPatch *patch = &part->patches.items[i];
        if (!is_for(file, part, patch)) {
            continue;
        }
        doc_because(file->doc, origin_span(file->arena, patch->path_span));
        DocNode *node = tool_value(file, patch->value);
        doc_unbecause(file->doc);
        patch_apply(file->doc, part, patch, node);
    }
    for (uint32_t i = 0; i < part->inner.count; i++) {
        patch(file, part->inner.items[i]);
    }
}

void tool_write(ToolFile *file, Output *output) {
    Session *session = file->session;
    for (uint32_t i = 0; i < file->parts.count; i++) {
        patch(file, file->parts.items[i]);
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
