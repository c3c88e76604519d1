// Files that `dtc lint` was given together, and which of them belong to each other.
#include "compiler/driver/command/lint_together.h"

#include "compiler/plan/rules/together.h"

static Str folder_of(Str path) {
    return str_slice(path, 0, path.len - str_after_last(path, '/').len);
}

static PlansTogether plans_beside(Session *session, const LintedFiles *files, const LintedFile *file, bool are_named) {
    PlansTogether plans = { 0 };
    for (uint32_t i = 0; i < files->count; i++) {
        const LintedFile *other = &files->items[i];
        const Str here = folder_of(file->path);
        const Str there = folder_of(other->path);
        const bool is_beside =
            str_equal(here, there) || (are_named && (str_starts_with(here, there) || str_starts_with(there, here)));
        for (uint32_t k = 0; is_beside && k < other->file.plans.count; k++) {
            vec_push(session->arena, &plans, other->file.plans.items[k]);
        }
    }
    return plans;
}

void lint_together(Session *session, const LintedFiles *files, bool are_named) {
    for (uint32_t i = 0; i < files->count; i++) {
        const LintedFile *file = &files->items[i];
        if (file->file.objects == NULL) {
            continue;
        }
        const PlansTogether plans = plans_beside(session, files, file, are_named);
        session->levels = file->levels;
        const uint32_t outer = diags_begin_turn(session);
        together_check(session, file->file.objects, &plans);
        diags_end_turn(session, outer);
        session->levels = NULL;
    }
}
