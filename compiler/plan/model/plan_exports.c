// Keeps the names that templates share.
#include "compiler/plan/model/plan_exports.h"

#include "compiler/plan/model/allow.h"

static SharedName copy(const PlanExports *exports, const Session *session, const PlanShared *shared) {
    Arena *arena = exports->arena;
    const bool is_resource = shared->from != NULL && shared->from->kind == NAMED_RESOURCE;
    return (SharedName){ .name = str_copy(arena, shared->name),
                         .written = str_copy(arena, shared->written),
                         .path = str_copy(arena, source_get(session, shared->span.source)->path),
                         .kind = shared->gives,
                         .type = is_resource ? str_copy(arena, shared->from->type) : STR_NONE,
                         .outer = str_copy(arena, shared->outer),
                         .key = str_copy(arena, shared->key),
                         .span = shared->span };
}

static bool is_kept(const PlanShared *shared) {
    return shared->name.len > 0 && shared->name.len <= SHARED_NAME_MAX;
}

static void add_path(PlanExports *exports, Str path) {
    const uint32_t count = exports->paths.count;
    if (count == 0 || !str_equal(exports->paths.items[count - 1], path)) {
        vec_push(exports->arena, &exports->paths, path);
    }
}

void plan_exports_add(PlanExports *exports, const Session *session, const PlanTemplate *template) {
    for (uint32_t i = 0; i < template->exports.count && exports->exports.count < SHARED_MAX; i++) {
        const PlanShared *shared = template->exports.items[i];
        if (is_kept(shared) && !plan_allows(shared->subject, DIAG_export_twice)) {
            vec_push(exports->arena, &exports->exports, copy(exports, session, shared));
            add_path(exports, exports->exports.items[exports->exports.count - 1].path);
        }
    }
    for (uint32_t i = 0; i < template->imports.count && exports->imports.count < SHARED_MAX; i++) {
        const PlanShared *shared = template->imports.items[i];
        const bool is_allowed =
            plan_allows(shared->subject, DIAG_import_unknown) || plan_allows(shared->subject, DIAG_import_kind);
        if (is_kept(shared) && !is_allowed) {
            vec_push(exports->arena, &exports->imports, copy(exports, session, shared));
            add_path(exports, exports->imports.items[exports->imports.count - 1].path);
        }
    }
}
