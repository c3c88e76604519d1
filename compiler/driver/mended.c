// Builds a program with mistakes as it may be meant, and takes over what is said of that. Compilers recover so from a
// misspelt name. Here the text is mended, as `--fix` does it, so that every pass sees a program without the mistake.
#include "compiler/driver/mended.h"

#include "compiler/base/edit.h"

typedef VEC(const Diag *) DiagList;
typedef VEC(const DiagFix *) Guesses;

// A mistake without a fix, and those of its guesses that are no mistakes themselves.
typedef struct {
    const Diag *diag;
    Guesses plausible;
} Doubt;

typedef VEC(Doubt) Doubts;

typedef struct {
    Session *session;
    const BuildRequest *request;
    int build_count;
} Mender;

// One build of a mended text. Its sources have other numbers than those of the session.
typedef struct {
    Session *session;   // of the build
    const Edits *edits; // by the numbers of the mender's sources
    uint32_t edited_count;
    bool is_first;     // only what kept a file from being read was mended
    uint32_t *numbers; // of the build's sources: those of the mender's; 0: not there yet
} Attempt;

// A mistake that keeps its block from the rules: of syntax, of values, or of names.
static bool stops_block(const Diag *diag) {
    const char *code = diag_row(diag->id)->code;
    const bool is_early = code[2] == '0' && (code[3] == '1' || code[3] == '2' || code[3] == '4');
    const bool is_of_target = diag->id == DIAG_attribute_not_on_target || diag->id == DIAG_attribute_later;
    return diag->severity == SEVERITY_ERROR && !diag->is_allowed && (is_early || is_of_target);
}

static bool is_limit(const Diag *diag) {
    return diag->id == DIAG_evaluation_too_deep || diag->id == DIAG_evaluation_too_large ||
           diag->id == DIAG_evaluation_too_long || diag->id == DIAG_too_many_repetitions;
}

// Whether a message depends on all that is written: what is of no use may be what was meant, and sizes count every byte.
static bool is_of_whole(const Diag *diag) {
    static const DiagId IDS[] = {
        DIAG_param_unused,          DIAG_allow_unused,         DIAG_user_data_large,    DIAG_user_data_too_large,
        DIAG_check_left_out,        DIAG_eksctl_stack_large,   DIAG_template_too_large, DIAG_role_too_large,
        DIAG_template_needs_bucket, DIAG_definition_too_large, DIAG_policy_too_large,   DIAG_output_too_large,
        DIAG_output_too_many,       DIAG_facts_of_others,      DIAG_file_incomplete,
    };
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(IDS) && !is; i++) {
        is = diag->id == IDS[i];
    }
    return is;
}

// ---- the mended text -------------------------------------------------------------------------------------------

static bool may_edit(const Session *session, const DiagFix *fix) {
    return source_get(session, fix->span.source)->is_program;
}

// All edits of a fix that can be made beside those that are there, or none.
static void add_fixes(Session *session, Edits *edits, const Diag *diag) {
    for (uint32_t i = 0; i < diag->fixes.count; i++) {
        const DiagFix *fix = &diag->fixes.items[i];
        const Edit edit = { .start = fix->span.start, .end = fix->span.end, .replacement = fix->replacement };
        if (!may_edit(session, fix) || !edits_add(session->arena, &edits[fix->span.source], edit)) {
            for (uint32_t j = 0; j < i; j++) {
                edits_remove(&edits[diag->fixes.items[j].span.source], diag->fixes.items[j].span.start);
            }
            return;
        }
    }
}

static bool is_of_syntax(const Diag *diag) {
    return diag_row(diag->id)->code[2] == '0' && diag_row(diag->id)->code[3] == '1';
}

// The edits of each source: guesses, and what is sure. `is_first`: of that, what keeps a file from being read alone.
static Edits *edits_with(Session *session, bool is_first, const Guesses *guesses) {
    Edits *edits = arena_new_array(session->arena, Edits, session->sources.count);
    for (uint32_t i = 0; i < guesses->count; i++) {
        for (const DiagFix *guess = guesses->items[i]; guess != NULL; guess = guess->also) {
            const Edit edit = { .start = guess->span.start, .end = guess->span.end, .replacement = guess->replacement };
            edits_add(session->arena, &edits[guess->span.source], edit);
        }
    }
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *diag = session->diags.items.items[i];
        if (stops_block(diag) && (!is_first || is_of_syntax(diag))) {
            add_fixes(session, edits, diag);
        }
    }
    for (uint32_t i = 0; i < session->sources.count; i++) {
        edits_settle(&edits[i], source_get(session, i)->text);
    }
    return edits;
}

static bool has_edits(const Session *session, const Edits *edits) {
    bool has = false;
    for (uint32_t i = 0; i < session->sources.count && !has; i++) {
        has = edits[i].count > 0;
    }
    return has;
}

static const Overlay *lay_over(const Session *session, Session *other, const Edits *edits) {
    Overlay *overlay = arena_new(other->arena, Overlay);
    for (uint32_t i = 0; i < session->sources.count; i++) {
        const Source *source = source_get(session, i);
        if (source->is_program) {
            const StandIn stand_in = { .path = source->path,
                                       .text = edits_apply(other->arena, source->text, &edits[i]) };
            vec_push(other->arena, overlay, stand_in);
        }
    }
    for (uint32_t i = 0; session->overlay != NULL && i < session->overlay->count; i++) {
        vec_push(other->arena, overlay, session->overlay->items[i]); // the first of a path is taken
    }
    return overlay;
}

static Attempt attempt(Mender *mender, const Edits *edits) {
    Session *session = session_create_beside(mender->session);
    session->levels = mender->session->levels;
    session->overlay = lay_over(mender->session, session, edits);
    BuildRequest request = *mender->request;
    request.directory = STR_NONE;
    build(session, &request);
    mender->build_count++;
    mender->session->beside_bytes += arena_bytes(session->arena);
    mender->session->step_count += session->step_count;
    return (Attempt){ .session = session,
                      .edits = edits,
                      .edited_count = mender->session->sources.count,
                      .numbers = arena_new_array(session->arena, uint32_t, session->sources.count) };
}

static bool can_go_on(const Mender *mender) {
    const Session *session = mender->session;
    return mender->build_count < MENDED_BUILDS_MAX &&
           arena_bytes(session->arena) + session->beside_bytes < MENDED_BYTES_MAX &&
           session->step_count < MENDED_STEPS_MAX;
}

// ---- places ----------------------------------------------------------------------------------------------------

static uint32_t number_of(const Mender *mender, const Attempt *attempt, uint32_t number) {
    const Source *source = source_get(attempt->session, number);
    for (uint32_t i = 1; i < mender->session->sources.count && attempt->numbers[number] == 0; i++) {
        const Source *other = source_get(mender->session, i);
        attempt->numbers[number] = str_equal(other->path, source->path) ? i : 0;
    }
    if (attempt->numbers[number] == 0) { // it is read now that something can be parsed
        Arena *arena = mender->session->arena;
        const uint32_t added =
            source_add(mender->session, str_copy(arena, source->path), str_copy(arena, source->text));
        Source *copy = &mender->session->sources.items[added];
        copy->is_program = source->is_program;
        copy->has_mark = source->has_mark;
        attempt->numbers[number] = added;
    }
    return attempt->numbers[number];
}

// A place of the mended text in the author's.
static Span place_of(const Mender *mender, const Attempt *attempt, Span span) {
    if (span_is_none(span)) {
        return span;
    }
    span.source = number_of(mender, attempt, span.source);
    if (span.source < attempt->edited_count) {
        const Edits *edits = &attempt->edits[span.source];
        span.start = edits_move_back(edits, span.start, EDIT_START);
        span.end = edits_move_back(edits, span.end, EDIT_END);
    }
    return span;
}

static bool touches(Span a, Span b) {
    return !span_is_none(a) && a.source == b.source && a.start <= b.end && b.start <= a.end;
}

static bool points_to(const Mender *mender, const Attempt *attempt, const Diag *diag, Span place) {
    bool points = touches(place_of(mender, attempt, diag->span), place);
    for (uint32_t i = 0; i < diag->labels.count && !points; i++) {
        points = touches(place_of(mender, attempt, diag->labels.items[i].span), place);
    }
    return points;
}

// Whether a place is of text that the author did not write.
static bool is_edited(const Attempt *attempt, Span place) {
    bool is = false;
    for (uint32_t i = 0; place.source < attempt->edited_count && i < attempt->edits[place.source].count && !is; i++) {
        const Edit *edit = &attempt->edits[place.source].items[i];
        is = place.start <= edit->end && edit->start <= place.end;
    }
    return is;
}

// ---- what is new -----------------------------------------------------------------------------------------------

static bool is_said(const Mender *mender, DiagId id, Span place, Str message) {
    const Diags *diags = &mender->session->diags;
    bool is = false;
    for (uint32_t i = 0; i < diags->items.count && !is; i++) {
        const Diag *diag = diags->items.items[i];
        is = !diag->is_allowed && diag->id == id && span_equal(diag->span, place) &&
             (!span_is_none(place) || str_equal(diag->message, message));
    }
    return is;
}

// Whether what stands between a name and a place is "=" and brackets that are open: the place is in the name's value.
static bool is_within_value(Str text) {
    const Str trimmed = str_trim(text);
    int depth = 0;
    bool is_text = false;
    bool is_within = str_at(trimmed, 0) == '=';
    for (size_t i = 1; i < trimmed.len && is_within; i++) {
        const char c = trimmed.data[i];
        const bool is_quote = c == '"' && trimmed.data[i - 1] != '\\';
        is_text = c != '\n' && is_quote != is_text; // no text goes over lines; a quote may stand in a comment
        const bool opens = !is_text && (c == '[' || c == '(' || c == '{');
        const bool closes = !is_text && (c == ']' || c == ')' || c == '}');
        depth += (opens ? 1 : 0) - (closes ? 1 : 0);
        is_within = depth > 0 || c == ' ' || c == '\t';
    }
    return is_within;
}

// Whether a place is in the value of an attribute whose name was mended: nobody held it against its type before.
static bool is_behind_name(const Mender *mender, const Attempt *attempt, Span place) {
    const Edit *last = NULL;
    for (uint32_t i = 0; place.source < attempt->edited_count && i < attempt->edits[place.source].count; i++) {
        const Edit *edit = &attempt->edits[place.source].items[i];
        last = edit->end < place.start ? edit : last;
    }
    const Span between = { .source = place.source, .start = last == NULL ? 0 : last->end, .end = place.start };
    return last != NULL && is_within_value(source_text(mender->session, between));
}

// A mistake of a value or a name may come from the fix: `3` became a text, and something adds to it.
static bool may_come_from_fix(const Mender *mender, const Attempt *attempt, const Diag *diag, Span place) {
    return stops_block(diag) &&
           (is_edited(attempt, place) || !(attempt->is_first || is_behind_name(mender, attempt, place)));
}

static bool is_new(const Mender *mender, const Attempt *attempt, const Diag *diag, const Doubts *doubts) {
    const Span place = place_of(mender, attempt, diag->span);
    bool is = !diag->is_allowed && !is_said(mender, diag->id, place, diag->message) &&
              !may_come_from_fix(mender, attempt, diag, place) && (doubts->count == 0 || !is_of_whole(diag));
    for (uint32_t i = 0; i < doubts->count && is; i++) {
        is = !points_to(mender, attempt, diag, doubts->items[i].diag->doubt);
    }
    return is;
}

// Whether the guess makes a mistake of its own: it was not what is meant. Nor is `null`, where a value has to be given.
static bool is_implausible(const Mender *mender, const Attempt *attempt, const Diag *guessed, Str guess) {
    bool is = false;
    for (uint32_t i = 0; i < attempt->session->diags.items.count && !is; i++) {
        const Diag *diag = attempt->session->diags.items.items[i];
        const bool is_missed = str_is(guess, "null") && diag->id == DIAG_attribute_missing &&
                               !is_said(mender, diag->id, place_of(mender, attempt, diag->span), diag->message);
        is = stops_block(diag) && (is_missed || points_to(mender, attempt, diag, guessed->doubt));
    }
    return is;
}

static DiagList news(const Mender *mender, const Attempt *attempt, const Doubts *doubts) {
    DiagList list = { 0 };
    for (uint32_t i = 0; i < attempt->session->diags.items.count; i++) {
        const Diag *diag = attempt->session->diags.items.items[i];
        if (is_new(mender, attempt, diag, doubts)) {
            vec_push(attempt->session->arena, &list, diag);
        }
    }
    return list;
}

static bool comes_up(const Mender *mender, const Attempt *attempt, const Diag *diag, Span place) {
    bool comes = false;
    for (uint32_t i = 0; i < attempt->session->diags.items.count && !comes; i++) {
        const Diag *other = attempt->session->diags.items.items[i];
        comes = !other->is_allowed && other->id == diag->id && str_equal(other->message, diag->message) &&
                span_equal(place_of(mender, attempt, other->span), place);
    }
    return comes;
}

// Leaves those in the list that come up in another attempt as well.
static void keep_common(const Mender *mender, const Attempt *first, DiagList *list, const Attempt *other) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (comes_up(mender, other, list->items[i], place_of(mender, first, list->items[i]->span))) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

static void take(const Mender *mender, const Attempt *attempt, const Diag *diag) {
    Session *session = mender->session;
    Diag *kept = report(session, place_of(mender, attempt, diag->span), diag->id, "%.*s", STR_ARG(diag->message));
    if (diag->label.len > 0) {
        diag_primary_label(session, kept, "%.*s", STR_ARG(diag->label));
    }
    for (uint32_t i = 0; i < diag->labels.count; i++) {
        const DiagLabel *label = &diag->labels.items[i];
        diag_label(session, kept, place_of(mender, attempt, label->span), "%.*s", STR_ARG(label->text));
    }
    for (uint32_t i = 0; i < diag->helps.count; i++) {
        diag_help(session, kept, "%.*s", STR_ARG(diag->helps.items[i]));
    }
    for (uint32_t i = 0; i < diag->notes.count; i++) {
        diag_note(session, kept, "%.*s", STR_ARG(diag->notes.items[i]));
    }
    bool is_of_author = true; // a fix of mended text would not be one of the author's
    for (uint32_t i = 0; i < diag->fixes.count; i++) {
        is_of_author = is_of_author && !is_edited(attempt, place_of(mender, attempt, diag->fixes.items[i].span));
    }
    for (uint32_t i = 0; i < diag->fixes.count && is_of_author; i++) {
        const DiagFix *fix = &diag->fixes.items[i];
        diag_fix(session, kept, place_of(mender, attempt, fix->span), str_copy(session->arena, fix->replacement));
    }
    kept->can_be_allowed = diag->can_be_allowed;
    kept->is_explained = diag->is_explained;
}

static void take_all(const Mender *mender, const Attempt *attempt, const DiagList *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        take(mender, attempt, list->items[i]);
    }
}

// ---- the attempts ----------------------------------------------------------------------------------------------

// With what is sure; `is_first`: with what kept a file from being read, so that names and values are looked at.
static void mend(Mender *mender, bool is_first) {
    const Doubts no_doubts = { 0 };
    const Guesses no_guesses = { 0 };
    const Edits *edits = edits_with(mender->session, is_first, &no_guesses);
    if (has_edits(mender->session, edits)) {
        Attempt done = attempt(mender, edits);
        done.is_first = is_first;
        const DiagList list = news(mender, &done, &no_doubts);
        take_all(mender, &done, &list);
        session_destroy(done.session);
    }
}

// False where one value alone is possible: it need not be what was meant. To leave an attribute out always is. Nor may
// more be tried than is allowed.
static bool find_plausible(Mender *mender, Doubt *doubt) {
    Arena *arena = mender->session->arena;
    for (uint32_t i = 0; i < doubt->diag->guesses.count && can_go_on(mender); i++) {
        const DiagFix *guess = &doubt->diag->guesses.items[i];
        Guesses alone = { 0 };
        vec_push(arena, &alone, guess);
        const Attempt done = attempt(mender, edits_with(mender->session, false, &alone));
        if (!is_implausible(mender, &done, doubt->diag, guess->replacement)) {
            vec_push(arena, &doubt->plausible, guess);
        }
        session_destroy(done.session);
    }
    const bool is_known =
        doubt->plausible.count > 1 || (doubt->plausible.count == 1 && doubt->plausible.items[0]->replacement.len == 0);
    return can_go_on(mender) && is_known;
}

static Doubts find_doubts(Mender *mender) {
    Doubts doubts = { 0 };
    for (uint32_t i = 0; i < mender->session->diags.items.count; i++) {
        const Diag *diag = mender->session->diags.items.items[i];
        Doubt doubt = { .diag = diag };
        const bool can_guess = stops_block(diag) && diag->fixes.count == 0 && diag->guesses.count > 0;
        if (can_guess && may_edit(mender->session, &diag->guesses.items[0]) && find_plausible(mender, &doubt)) {
            vec_push(mender->session->arena, &doubts, doubt);
        }
    }
    return doubts;
}

// The guess of each doubt for one of the attempts: all of each have their turn.
static Guesses guesses_of(Arena *arena, const Doubts *doubts, uint32_t number) {
    Guesses guesses = { 0 };
    for (uint32_t i = 0; i < doubts->count; i++) {
        const Guesses *plausible = &doubts->items[i].plausible;
        vec_push(arena, &guesses, plausible->items[number % plausible->count]);
    }
    return guesses;
}

// With what is sure and the guesses of every doubt in turn, until nothing is left that all attempts have.
static void guess(Mender *mender, const Doubts *doubts) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < doubts->count; i++) {
        count = doubts->items[i].plausible.count > count ? doubts->items[i].plausible.count : count;
    }
    Attempt first = { 0 };
    DiagList list = { 0 };
    for (uint32_t i = 0; i < count && (i == 0 || list.count > 0); i++) {
        const Guesses guesses = guesses_of(mender->session->arena, doubts, i);
        const Attempt done = attempt(mender, edits_with(mender->session, false, &guesses));
        if (i == 0) {
            first = done;
            list = news(mender, &first, doubts);
        } else {
            keep_common(mender, &first, &list, &done);
            session_destroy(done.session);
        }
        list.count = can_go_on(mender) ? list.count : 0;
    }
    if (count > 0) {
        take_all(mender, &first, &list);
        session_destroy(first.session);
    }
}

static bool has_sense(const Session *session) {
    const Diags *diags = &session->diags;
    bool has = false;
    for (uint32_t i = 0; i < diags->items.count; i++) {
        const Diag *diag = diags->items.items[i];
        if (is_limit(diag)) {
            return false;
        }
        has = has || (stops_block(diag) && (diag->fixes.count > 0 || diag->guesses.count > 0));
    }
    return has && !diags->is_full;
}

Build build_mended(Session *session, const BuildRequest *request) {
    const Build first = build(session, request);
    Mender mender = { .session = session, .request = request };
    if (!has_sense(session) || !can_go_on(&mender)) {
        return first;
    }
    mend(&mender, true);
    mend(&mender, false);
    const Doubts doubts = find_doubts(&mender);
    guess(&mender, &doubts);
    return first;
}
