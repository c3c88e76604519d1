// Collects what is wrong with somebody's text. Nothing is printed here but die()'s one line; a diagnostic that is not
// kept (said before, or one too many) is still a whole object, so that callers may add to it without asking.
#include "compiler/base/diag.h"

#include "compiler/base/session.h"

static const DiagRow DIAG_ROWS[] = {
#undef DIAG
#define DIAG(code_, severity_, name_, format_, explanation_)                                                 \
    [DIAG_##name_] = {                                                                                       \
        .code = code_, .severity = severity_, .name = #name_, .format = format_, .explanation = explanation_ \
    },
#include "compiler/base/diag.def"
#undef DIAG
};

_Static_assert(COUNT_OF(DIAG_ROWS) == DIAG_COUNT, "one row for each id");

static bool was_reported(const Diags *diags, const Diag *diag) {
    for (uint32_t i = 0; i < diags->items.count; i++) {
        const Diag *other = diags->items.items[i];
        // One that was allowed where it came first may not be where it comes again.
        if (!other->is_allowed && other->id == diag->id && span_equal(other->span, diag->span) &&
            str_equal(other->message, diag->message)) {
            return true;
        }
    }
    return false;
}

// Takes the last warning or note out of a full list, so that a thousand of them do not hide the error that matters.
static void drop_a_warning(Diags *diags) {
    uint32_t i = diags->items.count - 1;
    while (diags->items.items[i]->severity == SEVERITY_ERROR) {
        i--;
    }
    memmove(&diags->items.items[i], &diags->items.items[i + 1],
            (diags->items.count - i - 1) * sizeof(diags->items.items[0]));
    diags->items.count--;
    diags->dropped_count++;
}

static void count_one(Diags *diags, Severity severity) {
    diags->error_count += severity == SEVERITY_ERROR;
    diags->warning_count += severity == SEVERITY_WARNING;
}

Diag *report(Session *session, Span span, DiagId id, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Diag *diag = report_list(session, span, id, format, arguments);
    va_end(arguments);
    return diag;
}

Diag *report_list(Session *session, Span span, DiagId id, const char *format, va_list arguments) {
    Diags *diags = &session->diags;
    Diag *diag = arena_new(session->arena, Diag);
    *diag = (Diag){ .id = id, .severity = diag_row(id)->severity, .span = span };

    const bool is_error = diag->severity == SEVERITY_ERROR;
    diags->is_full = diags->items.count >= DIAGS_MAX;
    if (diags->is_full && (!is_error || diags->kept_error_count == DIAGS_MAX)) {
        count_one(diags, diag->severity);
        diags->dropped_count++;
        return diag;
    }
    diag->message = str_format_list(session->arena, format, arguments);
    if (was_reported(diags, diag)) {
        diag->is_allowed = true; // it was never counted
        return diag;
    }
    if (diags->is_full) {
        drop_a_warning(diags);
    }
    count_one(diags, diag->severity);
    diags->kept_error_count += is_error;
    vec_push(session->arena, &diags->items, diag);
    return diag;
}

void diag_primary_label(Session *session, Diag *diag, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    diag->label = str_format_list(session->arena, format, arguments);
    va_end(arguments);
}

void diag_label(Session *session, Diag *diag, Span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Str text = str_format_list(session->arena, format, arguments);
    va_end(arguments);
    vec_push(session->arena, &diag->labels, (DiagLabel){ .span = span, .text = text });
}

void diag_help(Session *session, Diag *diag, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vec_push(session->arena, &diag->helps, str_format_list(session->arena, format, arguments));
    va_end(arguments);
}

void diag_note(Session *session, Diag *diag, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vec_push(session->arena, &diag->notes, str_format_list(session->arena, format, arguments));
    va_end(arguments);
}

void diag_fix(Session *session, Diag *diag, Span span, Str replacement) {
    vec_push(session->arena, &diag->fixes, (DiagFix){ .span = span, .replacement = replacement });
}

void diag_allow(Session *session, Diag *diag) {
    if (diag->is_allowed) {
        return;
    }
    diag->is_allowed = true;
    session->diags.error_count -= diag->severity == SEVERITY_ERROR;
    session->diags.warning_count -= diag->severity == SEVERITY_WARNING;
}

static void uncount_one(Diags *diags, const Diag *diag) {
    const bool is_error = diag->severity == SEVERITY_ERROR;
    diags->kept_error_count -= is_error;
    if (!diag->is_allowed) {
        diags->error_count -= is_error;
        diags->warning_count -= diag->severity == SEVERITY_WARNING;
    }
}

void diags_forget(Session *session, uint32_t count) {
    Diags *diags = &session->diags;
    for (; diags->items.count > count; diags->items.count--) {
        uncount_one(diags, diags->items.items[diags->items.count - 1]);
    }
}

static bool is_repeat(const Diags *diags, uint32_t count, const Diag *diag) {
    for (uint32_t i = 0; i < count; i++) {
        const Diag *other = diags->items.items[i];
        if (!other->is_allowed && other->id == diag->id && !span_is_none(diag->span) &&
            span_equal(other->span, diag->span)) {
            return true;
        }
    }
    return false;
}

void diags_forget_repeats(Session *session, uint32_t count) {
    Diags *diags = &session->diags;
    const uint32_t end = diags->items.count;
    uint32_t kept = count < end ? count : end;
    for (uint32_t i = kept; i < end; i++) {
        Diag *diag = diags->items.items[i];
        if (is_repeat(diags, count, diag)) {
            uncount_one(diags, diag);
        } else {
            diags->items.items[kept++] = diag;
        }
    }
    diags->items.count = kept;
}

bool has_errors(const Session *session) {
    return session->diags.error_count > 0;
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

bool diag_is_judgement(Str code) {
    static const char *const SERIES[] = { "DT03", "DT05", "DT07", "DT13", "DT15", "DT17" };
    for (size_t i = 0; i < COUNT_OF(SERIES); i++) {
        if (str_starts_with(code, str_of(SERIES[i]))) {
            return true;
        }
    }
    return false;
}

_Noreturn void die(const char *format, ...) {
    enum { EXIT_MACHINE = 3 };
    va_list arguments;
    va_start(arguments, format);
    fputs("dtc: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_MACHINE);
}
