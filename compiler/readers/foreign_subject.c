// The subjects of a foreign file, and the comments that allow.
#include "compiler/readers/foreign_subject.h"

#include "compiler/base/diag/prose.h"
#include "compiler/base/suggest.h"

#define ALLOW_WORD "dtc-allow:"

static Subject *new_subject(Session *session, const Subject *outer, Span name) {
    int count = 0;
    for (int i = 0; i < KIND_COUNT; i++) {
        count = KIND_ROWS[i].attribute_count > count ? KIND_ROWS[i].attribute_count : count;
    }
    Arena *arena = session->arena;
    Subject *subject = arena_new(arena, Subject);
    *subject = (Subject){ .outer = outer,
                          .is_foreign = true,
                          .span = name,
                          .name_span = name,
                          .values = arena_new_array(arena, const Value *, (size_t)count),
                          .null_origins = arena_new_array(arena, const Origin *, (size_t)count),
                          .attribute_spans = arena_new_array(arena, Span, (size_t)count) };
    return subject;
}

// ---- what is allowed ---------------------------------------------------------------------------------------------

// The subject of a file. Its comments are read once: in each way to deploy a template they are the same.
typedef struct {
    Subject subject; // first: it stands for all of this
    VEC(SubjectAllow) comments;
    VEC(Span) misspelt; // what was meant to be such a comment
} FileSubject;

// Whether only a `#` and blanks stand before it on its line, or behind a value.
static bool is_in_comment(Str text, size_t at) {
    while (at > 0 && (text.data[at - 1] == ' ' || text.data[at - 1] == '\t')) {
        at--;
    }
    return at > 0 && text.data[at - 1] == '#';
}

static SubjectAllow read_comment(Session *session, uint32_t source, size_t at) {
    const Str text = source_get(session, source)->text;
    const size_t line_end = str_find(text, STR("\n"), at);
    const Str line = str_trim(str_slice(text, at + sizeof ALLOW_WORD - 1, line_end));
    const Str code = str_slice(line, 0, str_find(line, STR(" "), 0));
    const size_t end = line.len == 0 ? at + sizeof ALLOW_WORD - 1 : (size_t)(line.data + line.len - text.data);
    bool *was_used = arena_new(session->arena, bool);
    *was_used = false;
    return (SubjectAllow){ .code = code,
                           .span = { .source = source, .start = (uint32_t)at, .end = (uint32_t)end },
                           .reason = str_trim(str_slice(line, code.len, line.len)),
                           .was_used = was_used };
}

static void read_comments(Session *session, uint32_t source, FileSubject *file) {
    const Str text = source_get(session, source)->text;
    for (size_t at = str_find(text, STR(ALLOW_WORD), 0); at < text.len; at = str_find(text, STR(ALLOW_WORD), at + 1)) {
        if (is_in_comment(text, at)) {
            vec_push(session->arena, &file->comments, read_comment(session, source, at));
        }
    }
}

static size_t word_end(Str text, size_t at) {
    while (str_at(text, at) == '-' || (char_small(str_at(text, at)) >= 'a' && char_small(str_at(text, at)) <= 'z')) {
        at++;
    }
    return at;
}

// `dtc-allow DT0544`, `DTC-ALLOW: DT0544`, `dtc-alow: DT0544`: a comment that begins so, and names a code. Empty: none.
static Span misspelt_at(const Session *session, uint32_t source, size_t at) {
    const Str text = source_get(session, source)->text;
    const size_t end = word_end(text, at);
    Suggestion suggestion = { .name = str_small(session->arena, str_slice(text, at, end)) };
    suggest_offer(&suggestion, STR("dtc-allow"));
    const bool has_sign = str_at(text, end) == ':';
    size_t code = end + (has_sign ? 1 : 0);
    while (str_at(text, code) == ' ') {
        code++;
    }
    const bool has_code =
        str_starts_with(str_slice(text, code, text.len), STR("DT")) && char_is_digit(str_at(text, code + 2));
    const bool is_right = str_starts_with(str_slice(text, at, text.len), STR(ALLOW_WORD));
    const bool is_meant = suggestion.best.len > 0 && has_code && !is_right;
    return is_meant ? (Span){ .source = source, .start = (uint32_t)at, .end = (uint32_t)(end + (has_sign ? 1 : 0)) }
                    : SPAN_NONE;
}

// Each comment is looked at by its sign.
static void read_misspelt(Session *session, uint32_t source, FileSubject *file) {
    const Str text = source_get(session, source)->text;
    for (size_t at = str_find(text, STR("#"), 0); at < text.len; at = str_find(text, STR("#"), at + 1)) {
        size_t start = at + 1;
        while (str_at(text, start) == ' ') {
            start++;
        }
        const bool may_be = char_small(str_at(text, start)) == 'd' && char_small(str_at(text, start + 1)) == 't';
        const Span span = may_be ? misspelt_at(session, source, start) : SPAN_NONE;
        if (!span_is_none(span)) {
            vec_push(session->arena, &file->misspelt, span);
        }
    }
}

// Adds those comments of a file that stand between two offsets.
static void add_allows(Session *session, Subject *subject, const FileSubject *file, size_t start, size_t end) {
    for (uint32_t i = 0; i < file->comments.count; i++) {
        const SubjectAllow *allow = &file->comments.items[i];
        if (start <= allow->span.start && allow->span.start < end) {
            vec_push(session->arena, &subject->allows, *allow);
        }
    }
}

const Subject *foreign_file(Session *session, uint32_t source) {
    const Span start = { .source = source, .start = 0, .end = 0 };
    FileSubject *file = arena_new(session->arena, FileSubject);
    *file = (FileSubject){ .subject = *new_subject(session, NULL, start) };
    read_comments(session, source, file);
    read_misspelt(session, source, file);
    const Str text = source_get(session, source)->text;
    size_t end = 0;
    while (end < text.len && (text.data[end] == '#' || text.data[end] == '\n' || text.data[end] == '\r')) {
        end = str_find(text, STR("\n"), end);
        end += end < text.len ? 1 : 0;
    }
    add_allows(session, &file->subject, file, 0, end);
    return &file->subject;
}

// A comment behind the last value stands on its line.
const Subject *foreign_subject(Session *session, const Subject *file, Span name, Span whole) {
    Subject *subject = new_subject(session, file, name);
    const size_t line_end = str_find(source_get(session, whole.source)->text, STR("\n"), whole.end);
    add_allows(session, subject, (const FileSubject *)file, whole.start, line_end);
    return subject;
}

// ---- what was allowed for nothing --------------------------------------------------------------------------------

// Of the code; of the comment where it has none.
static Span code_span(const Session *session, const SubjectAllow *allow) {
    if (allow->code.len == 0) {
        return allow->span;
    }
    const size_t start = (size_t)(allow->code.data - source_get(session, allow->span.source)->text.data);
    return (Span){ .source = allow->span.source, .start = (uint32_t)start, .end = (uint32_t)(start + allow->code.len) };
}

// `DT0544,` and `DT0544:` hold one.
static Str code_within(Str text) {
    size_t end = 0;
    while (char_is_digit(str_at(text, end)) || (str_at(text, end) >= 'A' && str_at(text, end) <= 'Z')) {
        end++;
    }
    return str_slice(text, 0, end);
}

static void report_unknown(Session *session, Span span, Str code) {
    Diag *diag = report(session, span, DIAG(comment_unknown), STR_ARG(code));
    const Str inner = code_within(code);
    if (diag_find(inner) != NULL) {
        diag_help(session, diag, "write `# dtc-allow: %.*s REASON`: one code, and a blank behind it", STR_ARG(inner));
    }
    const RetiredDiag *retired = diag_find_retired(code);
    if (retired != NULL) {
        diag_note(session, diag, "it was removed in %s; it said \"%s\"", retired->month, retired->format);
    }
}

// What is found only beside a file with groups of nodes: alone, a manifest is not known to be without it.
static bool is_found_beside(Str code) {
    static const DiagId IDS[] = { DIAG_pod_selector, DIAG_pod_not_tolerated, DIAG_together_count,
                                  DIAG_user_locks_no_memory };
    bool is_one = false;
    for (size_t i = 0; i < COUNT_OF(IDS); i++) {
        is_one = is_one || str_is(code, diag_row(IDS[i])->code);
    }
    return is_one;
}

// Takes a comment out that says nothing but what is allowed, with its line where nothing else stands there.
static void remove_comment(Session *session, Diag *diag, Span place) {
    const Str text = source_get(session, place.source)->text;
    const size_t end = str_find(text, STR("\n"), place.end);
    const size_t word = place.start - (place.start > strlen(ALLOW_WORD) ? strlen(ALLOW_WORD) + 1 : 0);
    size_t start = str_is_word(str_slice(text, word, word + strlen(ALLOW_WORD)), ALLOW_WORD) ? word : place.start;
    while (start > 0 && text.data[start - 1] == ' ') {
        start--;
    }
    if (start == 0 || text.data[start - 1] != '#') {
        return;
    }
    start--;
    while (start > 0 && (text.data[start - 1] == ' ' || text.data[start - 1] == '\t')) {
        start--;
    }
    const bool is_line = start == 0 || text.data[start - 1] == '\n';
    const bool has_return = !is_line && end > start && text.data[end - 1] == '\r';
    const size_t behind = is_line && end < text.len ? end + 1 : end - has_return;
    diag_fix(session, diag, (Span){ .source = place.source, .start = (uint32_t)start, .end = (uint32_t)behind },
             STR(""));
}

void foreign_check_allows(Session *session, const Subject *subject) {
    const FileSubject *file = (const FileSubject *)subject;
    for (uint32_t i = 0; i < file->misspelt.count; i++) {
        const Span span = file->misspelt.items[i];
        report(session, span, DIAG(comment_misspelt), STR_ARG(source_text(session, span)));
    }
    for (uint32_t i = 0; i < file->comments.count; i++) {
        const SubjectAllow *allow = &file->comments.items[i];
        const DiagRow *row = diag_find(allow->code);
        if (row == NULL) {
            report_unknown(session, code_span(session, allow), allow->code);
        } else if (row->nature == FAULT) {
            const Span code = code_span(session, allow);
            remove_comment(session, report(session, code, DIAG(comment_refused), STR_ARG(allow->code)), code);
        } else if (!*allow->was_used && !is_found_beside(allow->code)) {
            remove_comment(session, report(session, allow->span, DIAG(comment_unused), STR_ARG(allow->code)),
                           allow->span);
        } else if (allow->reason.len == 0) {
            report(session, allow->span, DIAG(comment_without_reason), STR_ARG(allow->code));
        }
    }
}
