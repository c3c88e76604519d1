// The subjects of a foreign file, and the comments that allow.
#include "compiler/readers/foreign_subject.h"

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

static void report_unknown(Session *session, Span span, Str code) {
    Diag *diag = report(session, span, DIAG(comment_unknown), STR_ARG(code));
    const RetiredDiag *retired = diag_find_retired(code);
    if (retired != NULL) {
        diag_note(session, diag, "it was removed in %s; it said \"%s\"", retired->month, retired->format);
    }
}

void foreign_check_allows(Session *session, const Subject *subject) {
    const FileSubject *file = (const FileSubject *)subject;
    for (uint32_t i = 0; i < file->comments.count; i++) {
        const SubjectAllow *allow = &file->comments.items[i];
        const DiagRow *row = diag_find(allow->code);
        if (row == NULL) {
            report_unknown(session, code_span(session, allow), allow->code);
        } else if (row->nature == FAULT) {
            report(session, code_span(session, allow), DIAG(comment_refused), STR_ARG(allow->code));
        } else if (!*allow->was_used) {
            report(session, allow->span, DIAG(comment_unused), STR_ARG(allow->code));
        } else if (allow->reason.len == 0) {
            report(session, allow->span, DIAG(comment_without_reason), STR_ARG(allow->code));
        }
    }
}
