// Keeps the names that templates export.
#include "compiler/plan/model/plan_exports.h"

Str plan_exports_written(Arena *arena, Str name) {
    StrBuf out = { .arena = arena };
    for (size_t i = 0; i < name.len; i++) {
        if (name.data[i] != HOLE) {
            strbuf_add_char(&out, name.data[i]);
        }
    }
    return strbuf_str(&out);
}

const SharedExport *plan_exports_of(const PlanExports *exports, Str name) {
    const ExportedName *exported = str_map_get(&exports->by_name, name);
    return exported == NULL ? NULL : exported->first;
}

static void add_export(PlanExports *exports, SharedExport *export) {
    ExportedName *name = str_map_get_mutable(&exports->by_name, export->name);
    if (name == NULL) {
        exports->by_name.arena = exports->arena;
        name = arena_new(exports->arena, ExportedName);
        *name = (ExportedName){ .written = plan_exports_written(exports->arena, export->name), .first = export };
        vec_push(exports->arena, &exports->names, name);
        str_map_add(&exports->by_name, export->name, name);
    } else {
        name->last->next = export;
    }
    name->last = export;
    exports->count++;
}

void plan_exports_add(PlanExports *exports, const Session *session, const PlanTemplate *template) {
    Arena *arena = exports->arena;
    for (uint32_t i = 0; i < template->exports.count && exports->count < EXPORTS_MAX; i++) {
        const PlanShared *shared = template->exports.items[i];
        if (shared->name.len > 0 && shared->name.len <= SHARED_NAME_MAX) {
            SharedExport *export = arena_new(arena, SharedExport);
            *export = (SharedExport){ .name = str_copy(arena, shared->name),
                                      .written = str_copy(arena, shared->written),
                                      .kind = shared->gives,
                                      .path = str_copy(arena, source_get(session, shared->span.source)->path),
                                      .start = shared->span.start,
                                      .end = shared->span.end };
            add_export(exports, export);
        }
    }
}
