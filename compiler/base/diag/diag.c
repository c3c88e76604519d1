// Collects what is wrong with somebody's text. Nothing is printed here. A diagnostic that is not kept, because it was
// reported before or is one too many, is still a whole object. So callers may add to it without asking.
#include "compiler/base/diag/diag.h"

#include "compiler/base/session.h"

static const DiagRow DIAG_ROWS[] = {
#undef DIAG
#define DIAG(code_, severity_, nature_, name_, format_) \
    [DIAG_##name_] = {                                  \
        .code = code_,                                  \
        .severity = severity_,                          \
        .nature = nature_,                              \
        .name = #name_,                                 \
        .format = format_,                              \
    },
#include "compiler/base/diag/codes.def"
#undef DIAG
};

_Static_assert(COUNT_OF(DIAG_ROWS) == DIAG_COUNT, "one row for each id");

// ---- by place --------------------------------------------------------------------------------------------------

static uint32_t place_of(DiagId id, Span span) {
    const uint32_t hash = ((uint32_t)id * 31 + span.source) * 2654435761u ^ span.start * 2246822519u ^ span.end;
    return (hash ^ hash >> 16) % DIAG_PLACES;
}

static Diag **list_of(const Diags *diags, DiagId id, Span span) {
    return &diags->places[place_of(id, span)];
}

static void put_in_place(Session *session, Diag *diag) {
    Diags *diags = &session->diags;
    if (diags->places == NULL) {
        diags->places = arena_new_array(session->arena, Diag *, DIAG_PLACES);
    }
    Diag **list = list_of(diags, diag->id, diag->span);
    diag->next_here = *list;
    *list = diag;
}

static void take_from_place(const Diags *diags, const Diag *diag) {
    Diag **list = list_of(diags, diag->id, diag->span);
    while (*list != diag) {
        list = &(*list)->next_here;
    }
    *list = diag->next_here;
}

// One that is shown and of the same code and place, at or behind `from` in its list; NULL without one.
static Diag *same_place(Diag *from, DiagId id, Span span) {
    // One that was allowed where it came first may not be where it comes again.
    while (from != NULL && (from->is_allowed || from->id != id || !span_equal(from->span, span))) {
        from = from->next_here;
    }
    return from;
}

// Whether it was said of the place before the turn of a loop began.
static bool is_of_earlier_turn(const Diags *diags, DiagId id, Span span) {
    if (diags->turn == 0 || diags->places == NULL || span_is_none(span)) {
        return false;
    }
    const Diag *other = same_place(*list_of(diags, id, span), id, span);
    while (other != NULL && other->number >= diags->turn) {
        other = same_place(other->next_here, id, span);
    }
    return other != NULL;
}

static bool was_reported(const Diags *diags, DiagId id, Span span, Str message) {
    const Diag *other = diags->places == NULL ? NULL : same_place(*list_of(diags, id, span), id, span);
    while (other != NULL && !str_equal(other->message, message)) {
        other = same_place(other->next_here, id, span);
    }
    return other != NULL;
}

// ---- what is left out, and what is silenced ----------------------------------------------------------------------

// One that is not kept, or that is hidden afterwards: `by` is 1 or -1.
static void count_left_out(Session *session, Severity severity, Span span, int by) {
    assert(span.source < session->sources.count);
    Source *source = &session->sources.items[span.source];
    session->diags.dropped_count += (uint32_t)by;
    source->errors_left_out += severity == SEVERITY_ERROR ? (uint32_t)by : 0;
    source->warnings_left_out += severity == SEVERITY_WARNING ? (uint32_t)by : 0;
}

// A rule says the same again in each way to deploy a template, and in each turn of a loop.
static void count_silenced(Session *session, DiagId id, Span span, Silence why) {
    Diags *diags = &session->diags;
    if (diags->silenced_places == NULL) {
        diags->silenced_places = arena_new_array(session->arena, SilencedPlace *, DIAG_PLACES);
    }
    SilencedPlace **list = &diags->silenced_places[place_of(id, span)];
    for (const SilencedPlace *other = *list; other != NULL; other = other->next) {
        if (other->id == id && span_equal(other->span, span)) {
            return;
        }
    }
    SilencedPlace *added = arena_new(session->arena, SilencedPlace);
    *added = (SilencedPlace){ .id = id, .span = span, .next = *list };
    *list = added;
    diags->silenced[why]++;
}

static bool is_lowered(const Session *session, DiagId id, Severity severity) {
    return session->levels != NULL && severity < diag_row(id)->severity;
}

// Takes the last warning or note out of a full list, so that a thousand of them do not hide the error that matters.
static void drop_a_warning(Session *session) {
    Diags *diags = &session->diags;
    uint32_t i = diags->items.count - 1;
    while (diags->items.items[i]->severity == SEVERITY_ERROR) {
        i--;
    }
    Diag *last = diags->items.items[i];
    take_from_place(diags, last);
    last->is_dropped = true;
    memmove(&diags->items.items[i], &diags->items.items[i + 1],
            (diags->items.count - i - 1) * sizeof(diags->items.items[0]));
    diags->items.count--;
    if (!last->is_allowed) {
        count_left_out(session, last->severity, last->span, 1);
    }
}

static void count_one(Diags *diags, Severity severity) {
    diags->error_count += severity == SEVERITY_ERROR;
    diags->warning_count += severity == SEVERITY_WARNING;
}

static uint32_t most_of(const Diags *diags) {
    return diags->max == 0 ? DIAGS_MAX : diags->max;
}

// Whether one more can be kept, if need be in place of a warning.
static bool has_room(Diags *diags, Severity severity) {
    diags->is_full = diags->items.count >= most_of(diags);
    return !diags->is_full || (severity == SEVERITY_ERROR && diags->kept_error_count < most_of(diags));
}

// Only where there is room.
static Diag *keep(Session *session, Diag diag) {
    Diags *diags = &session->diags;
    if (diags->is_full) {
        drop_a_warning(session);
    }
    count_one(diags, diag.severity);
    diags->kept_error_count += diag.severity == SEVERITY_ERROR;
    Diag *kept = arena_new(session->arena, Diag);
    *kept = diag;
    kept->number = diags->kept_count++;
    vec_push(session->arena, &diags->items, kept);
    put_in_place(session, kept);
    return kept;
}

Diag *report(Session *session, Span span, DiagId id, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Diag *diag = report_list(session, span, id, format, arguments);
    va_end(arguments);
    return diag;
}

// One object for all of them: nobody looks at it again.
static Diag *drop(Diags *diags, Diag diag) {
    diags->dropped = diag;
    diags->dropped.is_dropped = true;
    return &diags->dropped;
}

static Severity severity_of(const Session *session, DiagId id) {
    switch (session->levels == NULL ? LEVEL_AS_IT_IS : session->levels[id]) {
    case LEVEL_NOTE:
        return SEVERITY_NOTE;
    case LEVEL_WARNING:
        return SEVERITY_WARNING;
    case LEVEL_ERROR:
        return SEVERITY_ERROR;
    case LEVEL_AS_IT_IS:
    case LEVEL_OFF:
    case LEVEL_SKIPPED:
        break;
    }
    return diag_row(id)->severity;
}

Diag *report_list(Session *session, Span span, DiagId id, const char *format, va_list arguments) {
    Diags *diags = &session->diags;
    Diag diag = { .id = id, .severity = severity_of(session, id), .span = span };
    diags->report_count++;

    const DiagLevel level = session->levels == NULL ? LEVEL_AS_IT_IS : session->levels[id];
    if (level == LEVEL_OFF) {
        count_silenced(session, id, span, SILENCED_BY_PROJECT);
    }
    if (level == LEVEL_OFF || level == LEVEL_SKIPPED || is_of_earlier_turn(diags, id, span)) {
        diag.is_allowed = true; // it is not counted
        return drop(diags, diag);
    }
    if (is_lowered(session, id, diag.severity)) {
        count_silenced(session, id, span, LOWERED_BY_PROJECT);
    }
    if (!has_room(diags, diag.severity)) {
        count_one(diags, diag.severity);
        count_left_out(session, diag.severity, span, 1);
        return drop(diags, diag);
    }
    const ArenaMark mark = arena_mark(session->arena);
    diag.message = str_format_list(session->arena, format, arguments);
    if (was_reported(diags, id, span, diag.message)) {
        arena_rewind(session->arena, mark);
        diag.message = STR_NONE;
        diag.is_allowed = true; // it was never counted
        return drop(diags, diag);
    }
    return keep(session, diag);
}

Diag *diag_at(const Session *session, DiagId id, Span place) {
    const Diags *diags = &session->diags;
    return diags->places == NULL ? NULL : same_place(*list_of(diags, id, place), id, place);
}

void diag_primary_label(Session *session, Diag *diag, const char *format, ...) {
    if (diag->is_dropped) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    diag->label = str_format_list(session->arena, format, arguments);
    va_end(arguments);
}

void diag_label(Session *session, Diag *diag, Span span, const char *format, ...) {
    if (diag->is_dropped) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    const Str text = str_format_list(session->arena, format, arguments);
    va_end(arguments);
    vec_push(session->arena, &diag->labels, (DiagLabel){ .span = span, .text = text });
}

void diag_help(Session *session, Diag *diag, const char *format, ...) {
    if (diag->is_dropped) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vec_push(session->arena, &diag->helps, str_format_list(session->arena, format, arguments));
    va_end(arguments);
}

void diag_note(Session *session, Diag *diag, const char *format, ...) {
    if (diag->is_dropped) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vec_push(session->arena, &diag->notes, str_format_list(session->arena, format, arguments));
    va_end(arguments);
}

// A word of JSON and YAML that is no text.
static bool is_literal(Str text) {
    return str_is(text, "true") || str_is(text, "false") || str_is(text, "null");
}

// What stands in quotes stays in them, and JSON has no text without.
static Str in_same_quotes(Session *session, Span span, Str replacement) {
    const Str old = source_text(session, span);
    const char quote = str_at(old, 0);
    const bool is_quoted = old.len > 1 && (quote == '"' || quote == '\'') && old.data[old.len - 1] == quote;
    const char first = str_at(replacement, 0);
    if (!is_quoted || first == '"' || first == '\'' || is_literal(replacement)) {
        return replacement;
    }
    StrBuf text = { .arena = session->arena };
    strbuf_add_char(&text, quote);
    strbuf_add(&text, replacement);
    strbuf_add_char(&text, quote);
    return strbuf_str(&text);
}

void diag_fix(Session *session, Diag *diag, Span span, Str replacement) {
    if (diag->is_dropped) {
        return;
    }
    const bool is_foreign = !span_is_none(span) && source_get(session, span.source)->is_checked;
    vec_push(session->arena, &diag->fixes,
             (DiagFix){ .span = span,
                        .replacement = is_foreign ? in_same_quotes(session, span, replacement) : replacement });
}

void diag_guess(Session *session, Diag *diag, Span doubt, Span span, Str replacement) {
    if (!diag->is_dropped) {
        diag->doubt = doubt;
        vec_push(session->arena, &diag->guesses, (DiagFix){ .span = span, .replacement = replacement });
    }
}

void diag_guess_also(Session *session, Diag *diag, Span span, Str replacement) {
    if (!diag->is_dropped) {
        DiagFix *last = &diag->guesses.items[diag->guesses.count - 1];
        DiagFix *added = arena_new(session->arena, DiagFix);
        *added = (DiagFix){ .span = span, .replacement = replacement, .also = last->also };
        last->also = added;
    }
}

void diag_soften(Session *session, Diag *diag) {
    const DiagLevel level = session->levels == NULL ? LEVEL_AS_IT_IS : session->levels[diag->id];
    if (diag->is_allowed || diag->is_dropped || diag->severity != SEVERITY_ERROR || level != LEVEL_AS_IT_IS) {
        return;
    }
    diag->severity = SEVERITY_WARNING;
    session->diags.error_count--;
    session->diags.warning_count++;
    session->diags.kept_error_count--;
}

void diag_hide(Session *session, Diag *diag) {
    if (diag->is_allowed) {
        return;
    }
    diag->is_allowed = true;
    session->diags.error_count -= diag->severity == SEVERITY_ERROR;
    session->diags.warning_count -= diag->severity == SEVERITY_WARNING;
    if (diag->is_dropped) {
        count_left_out(session, diag->severity, diag->span, -1);
    }
}

void diag_allow(Session *session, Diag *diag) {
    // What is off, or was said before, is silent already.
    if (!diag->is_allowed) {
        count_silenced(session, diag->id, diag->span, SILENCED_BY_ALLOW);
    }
    diag_hide(session, diag);
    session->diags.allowed_count++;
}

static void forget(Diags *diags, const Diag *diag) {
    const bool is_error = diag->severity == SEVERITY_ERROR;
    diags->kept_error_count -= is_error;
    if (!diag->is_allowed) {
        diags->error_count -= is_error;
        diags->warning_count -= diag->severity == SEVERITY_WARNING;
    }
    take_from_place(diags, diag);
}

void diags_forget(Session *session, uint32_t count) {
    Diags *diags = &session->diags;
    for (; diags->items.count > count; diags->items.count--) {
        forget(diags, diags->items.items[diags->items.count - 1]);
    }
}

uint32_t diags_begin_turn(Session *session) {
    const uint32_t outer = session->diags.turn;
    session->diags.turn = session->diags.kept_count;
    return outer;
}

void diags_end_turn(Session *session, uint32_t outer) {
    session->diags.turn = outer;
}

// ---- from one session to another -------------------------------------------------------------------------------

typedef struct {
    Session *session;
    const Session *other;
    uint32_t *numbers; // of its sources, as they are in `session`; 0: not there yet
} Move;

static Str move_text(const Move *move, Str text) {
    return str_copy(move->session->arena, text);
}

static uint32_t add_source(const Move *move, const Source *source, Str text) {
    const uint32_t number = source_add(move->session, move_text(move, source->path), move_text(move, text));
    Source *added = &move->session->sources.items[number];
    added->is_program = source->is_program;
    added->is_checked = source->is_checked;
    added->has_mark = source->has_mark;
    return number;
}

static Span move_span(const Move *move, Span span) {
    uint32_t *number = &move->numbers[span.source];
    if (*number == 0 && !span_is_none(span)) {
        const Source *source = source_get(move->other, span.source);
        *number = add_source(move, source, source->text);
    }
    span.source = *number;
    return span;
}

static Diag *add_diag(const Move *move, const Diag *diag, Span span) {
    Session *session = move->session;
    Diag *kept = keep(session, (Diag){ .id = diag->id,
                                       .severity = diag->severity,
                                       .span = span,
                                       .message = move_text(move, diag->message),
                                       .label = move_text(move, diag->label),
                                       .can_be_allowed = diag->can_be_allowed,
                                       .is_explained = diag->is_explained });
    for (uint32_t i = 0; i < diag->labels.count; i++) {
        const DiagLabel *label = &diag->labels.items[i];
        vec_push(session->arena, &kept->labels,
                 (DiagLabel){ .span = move_span(move, label->span), .text = move_text(move, label->text) });
    }
    for (uint32_t i = 0; i < diag->helps.count; i++) {
        vec_push(session->arena, &kept->helps, move_text(move, diag->helps.items[i]));
    }
    for (uint32_t i = 0; i < diag->notes.count; i++) {
        vec_push(session->arena, &kept->notes, move_text(move, diag->notes.items[i]));
    }
    for (uint32_t i = 0; i < diag->fixes.count; i++) {
        const DiagFix *fix = &diag->fixes.items[i];
        diag_fix(session, kept, move_span(move, fix->span), move_text(move, fix->replacement));
    }
    return kept;
}

// False where there is no room.
static bool move_diag(const Move *move, const Diag *diag) {
    Diags *diags = &move->session->diags;
    if (!has_room(diags, diag->severity)) {
        count_one(diags, diag->severity);
        return false;
    }
    const Span span = move_span(move, diag->span);
    if (!was_reported(diags, diag->id, span, diag->message)) {
        add_diag(move, diag, span);
    }
    return true;
}

// Of a source from which nothing is shown, the path alone is kept.
static uint32_t move_path(const Move *move, uint32_t number) {
    if (move->numbers[number] == 0 && number != 0) {
        move->numbers[number] = add_source(move, source_get(move->other, number), STR_NONE);
    }
    return move->numbers[number];
}

void diags_take(Session *session, const Session *other) {
    const Diags *from = &other->diags;
    Diags *to = &session->diags;
    const Move move = { .session = session,
                        .other = other,
                        .numbers = arena_new_array(other->arena, uint32_t, other->sources.count) };
    uint32_t errors = from->error_count;
    uint32_t warnings = from->warning_count;
    VEC(const Diag *) left_out = { 0 };
    for (uint32_t i = 0; i < from->items.count; i++) {
        const Diag *diag = from->items.items[i];
        if (!diag->is_allowed) {
            errors -= diag->severity == SEVERITY_ERROR;
            warnings -= diag->severity == SEVERITY_WARNING;
            if (!move_diag(&move, diag)) {
                vec_push(other->arena, &left_out, diag);
            }
        }
    }
    to->error_count += errors; // those that the other one did not keep
    to->warning_count += warnings;
    to->dropped_count += from->dropped_count;
    for (int i = 0; i < SILENCE_COUNT; i++) {
        to->silenced[i] += from->silenced[i];
    }
    // Only now is it known of which sources the text is there.
    for (uint32_t i = 0; i < left_out.count; i++) {
        const Span span = left_out.items[i]->span;
        count_left_out(session, left_out.items[i]->severity, (Span){ .source = move_path(&move, span.source) }, 1);
    }
    for (uint32_t i = 0; i < other->sources.count; i++) {
        const Source *source = source_get(other, i);
        if (i > 0 && !source->is_checked && source->errors_left_out + source->warnings_left_out == 0) {
            continue;
        }
        const uint32_t number = move_path(&move, i); // it may move all sources
        Source *moved = &session->sources.items[number];
        moved->errors_left_out += source->errors_left_out;
        moved->warnings_left_out += source->warnings_left_out;
    }
}

Session *diags_alone(Session *session) {
    Session *alone = session_create();
    alone->diags.max = session->diags.max;
    alone->diags.dropped_count = session->diags.dropped_count;
    const Move move = { .session = alone,
                        .other = session,
                        .numbers = arena_new_array(session->arena, uint32_t, session->sources.count) };
    for (uint32_t i = 1; i < session->sources.count; i++) {
        const Source *source = source_get(session, i);
        move.numbers[i] = add_source(&move, source, source->text);
    }
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *diag = session->diags.items.items[i];
        Diag *kept = add_diag(&move, diag, diag->span);
        if (diag->is_allowed) {
            diag_hide(alone, kept);
        }
    }
    session_destroy(session);
    return alone;
}

bool has_errors(const Session *session) {
    return session->diags.error_count > 0;
}

bool diags_are_full(const Session *session) {
    return session->diags.kept_error_count >= DIAGS_MAX;
}

const DiagRow *diag_row(DiagId id) {
    return &DIAG_ROWS[id];
}

const DiagRow *diag_find(Str code) {
    for (size_t i = 0; i < COUNT_OF(DIAG_ROWS); i++) {
        if (str_is(code, DIAG_ROWS[i].code)) {
            return &DIAG_ROWS[i];
        }
    }
    return NULL;
}

DiagId diag_id(const DiagRow *row) {
    return (DiagId)(row - DIAG_ROWS);
}
