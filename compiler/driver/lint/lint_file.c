// One file of another tool: from its text to what is wrong with it. `dtc lint` asks for files that people have, and a
// build for those that it is about to write.
#include "compiler/driver/lint/lint_file.h"

#include "compiler/driver/lint/fillers.h"
#include "compiler/driver/lint/kustomize.h"
#include "compiler/driver/lint/started.h"

#include "compiler/plan/rules/check.h"
#include "compiler/plan/rules/hold_fixes.h"
#include "compiler/readers/foreign_subject.h"

ForeignFile lint_file(Session *session, uint32_t source, ForeignKind kind, const Beside *beside) {
    const ForeignFile file = foreign_read(session, source, kind, READ_ALL);
    if (file.kind == FOREIGN_NONE) {
        return file;
    }
    const KustomizeRole role = file.objects == NULL || kind != FOREIGN_NONE || !beside->are_kept
                                   ? KUSTOMIZE_NONE
                                   : kustomize_role(session, source_get(session, source)->path);
    if (role == KUSTOMIZE_PATCH) {
        return (ForeignFile){ .skip = SKIP_PATCH };
    }
    if (role == KUSTOMIZE_BASE) {
        file.objects->are_bases = true;
    }
    source_mark_checked(session, source);
    const Source *text = source_get(session, source);
    if (beside->are_kept) {
        kustomize_fill_in(session, text->path, text->text, &file);
        fillers_find(session, source, &file);
        started_find(session, source, &file);
    }
    const uint32_t first = session->diags.items.count;
    const uint32_t outer = diags_begin_turn(session);
    for (uint32_t i = 0; i < file.plans.count; i++) {
        plan_check(session, file.plans.items[i]);
    }
    beside_check(session, beside, source_get(session, source)->path, &file);
    diags_end_turn(session, outer);
    fillers_hide(session, &file, first);
    const bool is_deployed =
        file.kind != FOREIGN_SLURM && file.kind != FOREIGN_SCRIPT && file.kind != FOREIGN_DOCKERFILE;
    if (is_deployed) {
        fixes_hold(session, (const Plan *const *)file.plans.items, file.plans.count);
    }
    if (file.plans.count > 0) {
        foreign_check_allows(session, file.subject);
    }
    return file;
}

ForeignFile lint_offer(Session *session, uint32_t source, ForeignKind kind) {
    const BesideOffer offer = beside_offer_of(source_get(session, source)->text);
    if (offer == OFFERS_NOTHING) {
        return (ForeignFile){ 0 };
    }
    const uint32_t before = session->diags.items.count;
    const ForeignFile file = foreign_read(session, source, kind, offer == OFFERS_NAMES ? READ_NAMES : READ_ALL);
    diags_forget(session, before);
    return file;
}
