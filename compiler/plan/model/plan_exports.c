// Keeps the names that templates export.
#include "compiler/plan/model/plan_exports.h"

void plan_exports_add(PlanExports *exports, const Session *session, const PlanTemplate *template) {
    Arena *arena = exports->arena;
    for (uint32_t i = 0; i < template->exports.count && exports->items.count < EXPORTS_MAX; i++) {
        const PlanShared *shared = template->exports.items[i];
        if (shared->name.len > 0 && shared->name.len <= SHARED_NAME_MAX) {
            const SharedExport export = { .name = str_copy(arena, shared->name),
                                          .written = str_copy(arena, shared->written),
                                          .kind = shared->gives,
                                          .path = str_copy(arena, source_get(session, shared->span.source)->path),
                                          .start = shared->span.start,
                                          .end = shared->span.end };
            vec_push(arena, &exports->items, export);
        }
    }
}
