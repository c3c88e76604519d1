// Finds the fixes of a program that make nothing worse. It checks the program and chooses fixes that do not clash. Then
// it checks again, with the fixed texts in place of the files. If something is worse, it tries half of the fixes, until
// the one to blame is found. Each check has a session of its own, so what must outlive a session is copied.
#include "compiler/driver/fix/fix.h"

#include "compiler/driver/fix/fix_judge.h"
#include "compiler/driver/mended.h"

typedef VEC(const Diag *) Choice;

typedef struct {
    Arena *arena;
    const FixCheck *check;
    const DiagLevel *levels; // as Session has them
    Fixes *fixes;
    Session *current; // the last check whose fixes were kept
    size_t bytes;     // that all checks took, with the builds that each made behind mistakes
    uint64_t steps;   // likewise
} Finder;

// What remains of a check: its diagnostics, and the sources.
static Session *check(Finder *finder, Session *session) {
    finder->fixes->check_count++;
    session->levels = finder->levels;
    session->diags.max = DIAGS_MAX_OF_FIXES;
    finder->check->run(session, finder->check->argument);
    finder->bytes += arena_bytes(session->arena) + session->beside_bytes;
    finder->steps += session->step_count;
    for (uint32_t i = 0; i < session->sources.count; i++) {
        finder->bytes += FIX_BYTES_PER_BYTE * source_get(session, i)->text.len;
    }
    return diags_alone(session);
}

// ---- what can be fixed -----------------------------------------------------------------------------------------

static bool is_refused(const Finder *finder, const Diag *diag) {
    const Str path = source_get(finder->current, diag->span.source)->path;
    for (uint32_t i = 0; i < finder->fixes->refused.count; i++) {
        const RefusedFix *refused = &finder->fixes->refused.items[i];
        if (refused->id == diag->id && refused->start == diag->span.start && refused->end == diag->span.end &&
            str_equal(refused->path, path)) {
            return true;
        }
    }
    return false;
}

static bool is_in_program(const Session *session, const Diag *diag) {
    for (uint32_t i = 0; i < diag->fixes.count; i++) {
        if (!source_get(session, diag->fixes.items[i].span.source)->is_program) {
            return false;
        }
    }
    return true;
}

static Edit edit_of(const DiagFix *fix) {
    return (Edit){ .start = fix->span.start, .end = fix->span.end, .replacement = fix->replacement };
}

// All edits of a diagnostic, or none of them.
static bool take_all(Arena *arena, Edits *edits, const Diag *diag) {
    for (uint32_t i = 0; i < diag->fixes.count; i++) {
        if (!edits_add(arena, &edits[diag->fixes.items[i].span.source], edit_of(&diag->fixes.items[i]))) {
            for (uint32_t j = 0; j < i; j++) {
                edits_remove(&edits[diag->fixes.items[j].span.source], diag->fixes.items[j].span.start);
            }
            return false;
        }
    }
    return true;
}

static Edits *edits_of(Arena *arena, const Session *session, const Choice *choice, uint32_t count) {
    Edits *edits = arena_new_array(arena, Edits, session->sources.count);
    for (uint32_t i = 0; i < count; i++) {
        bool is_taken = take_all(arena, edits, choice->items[i]);
        assert(is_taken); // choose() saw to it
        (void)is_taken;
    }
    for (uint32_t i = 0; i < session->sources.count; i++) {
        edits_settle(&edits[i], source_get(session, i)->text);
    }
    return edits;
}

// The fixes to try are those of the first gate that has any. What a fix of a later gate breaks could look like
// something that an earlier gate had hidden.
static Choice wanted(const Finder *finder) {
    const Diags *diags = &finder->current->diags;
    Choice wanted = { 0 };
    for (uint32_t i = 0; i < diags->items.count; i++) {
        const Diag *diag = diags->items.items[i];
        const bool is_wanted = !diag->is_allowed && diag->fixes.count > 0 && diag->fixes.count <= FIX_EDITS_MAX &&
                               is_in_program(finder->current, diag) && !is_refused(finder, diag);
        const bool is_later = wanted.count > 0 && gate_of(diag->id) > gate_of(wanted.items[0]->id);
        if (!is_wanted || is_later) {
            continue;
        }
        if (wanted.count > 0 && gate_of(diag->id) < gate_of(wanted.items[0]->id)) {
            wanted.count = 0;
        }
        vec_push(finder->current->arena, &wanted, diag);
    }
    return wanted;
}

// As they were reported, the fixes that can be made together: of two that clash, the first.
static Choice choose(const Finder *finder) {
    Arena *arena = finder->current->arena;
    Edits *edits = arena_new_array(arena, Edits, finder->current->sources.count);
    const Choice all = wanted(finder);
    Choice choice = { 0 };
    uint32_t room = FIX_EDITS_MAX;
    for (uint32_t i = 0; i < all.count; i++) {
        if (all.items[i]->fixes.count <= room && take_all(arena, edits, all.items[i])) {
            vec_push(arena, &choice, all.items[i]);
            room -= all.items[i]->fixes.count;
        }
    }
    return choice;
}

// ---- one trial -------------------------------------------------------------------------------------------------

static Session *check_with(Finder *finder, const Edits *edits) {
    Session *session = session_create();
    Overlay *overlay = arena_new(session->arena, Overlay);
    for (uint32_t i = 0; i < finder->current->sources.count; i++) {
        const Source *source = source_get(finder->current, i);
        if (source->is_program) {
            const StandIn stand_in = { .path = str_copy(session->arena, source->path),
                                       .text = edits_apply(session->arena, source->text, &edits[i]) };
            vec_push(session->arena, overlay, stand_in);
        }
    }
    session->overlay = overlay;
    return check(finder, session);
}

static FixedFile *find_file(Fixes *fixes, Str path) {
    for (uint32_t i = 0; i < fixes->files.count; i++) {
        if (str_equal(fixes->files.items[i].path, path)) {
            return &fixes->files.items[i];
        }
    }
    return NULL;
}

// The files of the last check: those seen for the first time as they were read, the others as they are now.
static void remember_files(Finder *finder) {
    for (uint32_t i = 0; i < finder->current->sources.count; i++) {
        const Source *source = source_get(finder->current, i);
        if (!source->is_program) {
            continue;
        }
        FixedFile *file = find_file(finder->fixes, source->path);
        if (file == NULL) {
            const Str text = str_copy(finder->arena, source->text);
            const FixedFile new_file = { .path = str_copy(finder->arena, source->path),
                                         .original = text,
                                         .text = text,
                                         .has_mark = source->has_mark };
            vec_push(finder->arena, &finder->fixes->files, new_file);
        } else if (!str_equal(file->text, source->text)) {
            file->text = str_copy(finder->arena, source->text);
        }
    }
}

static bool is_one_line(Str text) {
    return str_find(text, STR("\n"), 0) == text.len;
}

static Str text_at(const Session *session, Str path) {
    for (uint32_t i = 0; i < session->sources.count; i++) {
        if (str_equal(source_get(session, i)->path, path)) {
            return source_get(session, i)->text;
        }
    }
    return STR_NONE; // no longer part of the program
}

static AppliedFix describe(const Finder *finder, const Trial *trial, const Diag *diag) {
    Span shown = diag->fixes.items[0].span;
    uint32_t more_count = 0;
    for (uint32_t i = 1; i < diag->fixes.count; i++) {
        const Span joined = span_join(shown, diag->fixes.items[i].span);
        if (diag->fixes.items[i].span.source == shown.source && is_one_line(source_text(trial->before, joined))) {
            shown = joined;
        } else {
            more_count++;
        }
    }
    const Span moved = trial_move(trial, shown);
    const Source *source = source_get(trial->before, shown.source);
    const Str after = text_at(trial->after, source->path);
    return (AppliedFix){
        .code = diag_row(diag->id)->code,
        .path = str_copy(finder->arena, source->path),
        .start = moved.start,
        .before = str_copy(finder->arena, source_text(trial->before, shown)),
        .after = str_copy(finder->arena, str_slice(after, moved.start, moved.end)),
        .more_count = more_count,
    };
}

// Earlier fixes to where they are now.
static void move_applied(Finder *finder, const Trial *trial) {
    for (uint32_t i = 0; i < finder->fixes->applied.count; i++) {
        AppliedFix *applied = &finder->fixes->applied.items[i];
        for (uint32_t j = 0; j < trial->before->sources.count; j++) {
            const Source *source = source_get(trial->before, j);
            if (source->is_program && str_equal(source->path, applied->path)) {
                applied->start = edits_move(&trial->edits[j], applied->start, EDIT_START);
            }
        }
    }
}

// What was refused before may be right now.
static void accept(Finder *finder, const Trial *trial) {
    move_applied(finder, trial);
    for (uint32_t i = 0; i < trial->fixed_count; i++) {
        vec_push(finder->arena, &finder->fixes->applied, describe(finder, trial, trial->fixed[i]));
    }
    finder->fixes->refused.count = 0;
    finder->current = trial->after;
    remember_files(finder);
    session_destroy(trial->before);
}

static void refuse(Finder *finder, const Diag *diag, const char *reason) {
    const RefusedFix refused = {
        .id = diag->id,
        .path = str_copy(finder->arena, source_get(finder->current, diag->span.source)->path),
        .start = diag->span.start,
        .end = diag->span.end,
        .reason = str_of(reason),
    };
    vec_push(finder->arena, &finder->fixes->refused, refused);
}

static bool can_go_on(const Finder *finder) {
    return finder->fixes->check_count < FIX_CHECKS_MAX && finder->bytes < FIX_BYTES_MAX &&
           finder->steps < FIX_STEPS_MAX;
}

// Keeps as many of the first fixes of a choice as go well together, or refuses the first. False where no more checks
// are to be made.
static bool try_some(Finder *finder, const Choice *choice) {
    for (uint32_t count = choice->count;; count /= 2) {
        if (!can_go_on(finder)) {
            return false;
        }
        const Edits *edits = edits_of(finder->current->arena, finder->current, choice, count);
        const Trial trial = {
            .before = finder->current,
            .after = check_with(finder, edits),
            .edits = edits,
            .fixed = choice->items,
            .fixed_count = count,
            .is_strict = finder->check->is_strict,
        };
        const char *fault = trial_fault(finder->arena, &trial);
        if (fault == NULL) {
            accept(finder, &trial);
            return true;
        }
        session_destroy(trial.after);
        if (count == 1) {
            refuse(finder, choice->items[0], fault);
            return true;
        }
    }
}

// ---- from here on, what the command asks for -------------------------------------------------------------------

Fixes *fixes_find_with(Session *session, const FixCheck *with) {
    Fixes *fixes = arena_new(session->arena, Fixes);
    *fixes = (Fixes){ 0 };
    Finder finder = { .arena = session->arena, .check = with, .levels = session->levels, .fixes = fixes };
    Session *first = session_create();
    first->overlay = session->overlay;
    finder.current = check(&finder, first);
    remember_files(&finder);
    for (Choice choice = choose(&finder); choice.count > 0; choice = choose(&finder)) {
        fixes->is_too_much = finder.current->diags.dropped_count > 0;
        if (fixes->is_too_much) {
            break;
        }
        if (!try_some(&finder, &choice)) {
            fixes->is_unsettled = true;
            break;
        }
    }
    session_destroy(finder.current);
    return fixes;
}

static void check_request(Session *session, const void *argument) {
    build_mended(session, argument);
}

Fixes *fixes_find(Session *session, const BuildRequest *request) {
    const FixCheck with = { .run = check_request, .argument = request, .is_strict = request->is_strict };
    return fixes_find_with(session, &with);
}

void fixes_lay_over(Session *session, const Fixes *fixes) {
    Overlay *overlay = arena_new(session->arena, Overlay);
    *overlay = (Overlay){ 0 };
    for (uint32_t i = 0; i < fixes->files.count; i++) {
        const StandIn stand_in = { .path = fixes->files.items[i].path, .text = fixes->files.items[i].text };
        vec_push(session->arena, overlay, stand_in);
    }
    session->overlay = overlay;
}

static void explain_one(Session *session, const Fixes *fixes, Diag *diag) {
    if (!is_in_program(session, diag)) {
        diag_note(session, diag, "`--fix` changes the .dt files of the project, and nothing else");
        return;
    }
    if (diag->fixes.count > FIX_EDITS_MAX) {
        diag_note(session, diag, "`--fix` leaves this as it is: more than %d places would change", FIX_EDITS_MAX);
        return;
    }
    const Str path = source_get(session, diag->span.source)->path;
    for (uint32_t i = 0; i < fixes->refused.count; i++) {
        const RefusedFix *refused = &fixes->refused.items[i];
        if (refused->id == diag->id && refused->start == diag->span.start && refused->end == diag->span.end &&
            str_equal(refused->path, path)) {
            diag_note(session, diag, "`--fix` leaves this as it is: %.*s", STR_ARG(refused->reason));
            return;
        }
    }
}

void fixes_explain(Session *session, const Fixes *fixes) {
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        Diag *diag = session->diags.items.items[i];
        if (!diag->is_allowed && diag->fixes.count > 0) {
            explain_one(session, fixes, diag);
        }
    }
    if (fixes->is_unsettled) {
        report(session, SPAN_NONE, DIAG(fixes_unsettled), fixes->check_count, fixes->check_count == 1 ? "" : "s");
    }
}
