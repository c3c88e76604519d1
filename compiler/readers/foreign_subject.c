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
                          .span = name,
                          .name_span = name,
                          .values = arena_new_array(arena, const Value *, (size_t)count),
                          .null_origins = arena_new_array(arena, const Origin *, (size_t)count),
                          .attribute_spans = arena_new_array(arena, Span, (size_t)count) };
    return subject;
}

// Adds what the comments between two offsets allow.
static void add_allows(Session *session, Subject *subject, uint32_t source, size_t start, size_t end) {
    const Str text = str_slice(source_get(session, source)->text, 0, end);
    for (size_t at = str_find(text, STR(ALLOW_WORD), start); at < text.len;
         at = str_find(text, STR(ALLOW_WORD), at + 1)) {
        const size_t line_end = str_find(text, STR("\n"), at);
        const Str line = str_trim(str_slice(text, at + sizeof ALLOW_WORD - 1, line_end));
        const Str code = str_slice(line, 0, str_find(line, STR(" "), 0));
        bool *was_used = arena_new(session->arena, bool);
        *was_used = false;
        vec_push(session->arena, &subject->allows,
                 (SubjectAllow){ .code = code,
                                 .span = { .source = source, .start = (uint32_t)at, .end = (uint32_t)line_end },
                                 .reason = str_trim(str_slice(line, code.len, line.len)),
                                 .was_used = was_used });
    }
}

const Subject *foreign_file(Session *session, uint32_t source) {
    const Span start = { .source = source, .start = 0, .end = 0 };
    Subject *file = new_subject(session, NULL, start);
    const Str text = source_get(session, source)->text;
    size_t end = 0;
    while (end < text.len && (text.data[end] == '#' || text.data[end] == '\n')) {
        end = str_find(text, STR("\n"), end);
        end += end < text.len ? 1 : 0;
    }
    add_allows(session, file, source, 0, end);
    return file;
}

const Subject *foreign_subject(Session *session, const Subject *file, Span name, Span whole) {
    Subject *subject = new_subject(session, file, name);
    add_allows(session, subject, whole.source, whole.start, whole.end);
    return subject;
}
