// Texts and places. Offsets are bytes. Lines and columns are worked out only when somebody is to read them. They come
// from a table of line starts that is made at the first question.
#include "compiler/base/source.h"

#include "compiler/base/session.h"

uint32_t source_add(Session *session, Str path, Str text) {
    assert(text.len <= UINT32_MAX);
    vec_push(session->arena, &session->sources, (Source){ .path = path, .text = text });
    return session->sources.count - 1;
}

void source_mark_program(Session *session, uint32_t number) {
    assert(number > 0 && number < session->sources.count);
    session->sources.items[number].is_program = true;
}

void source_mark_checked(Session *session, uint32_t number) {
    assert(number > 0 && number < session->sources.count);
    session->sources.items[number].is_checked = true;
}

const Source *source_get(const Session *session, uint32_t number) {
    assert(number < session->sources.count);
    return &session->sources.items[number];
}

// A line may be as long as the file, as where JSON is written without line ends.
static void count_characters(Session *session, Source *source) {
    const Str text = source->text;
    source->characters = arena_new_array(session->arena, uint32_t, text.len / SOURCE_STEP + 1);
    for (size_t i = 1; i <= text.len / SOURCE_STEP; i++) {
        const Str step = str_slice(text, (i - 1) * SOURCE_STEP, i * SOURCE_STEP);
        source->characters[i] = source->characters[i - 1] + (uint32_t)str_count_characters(step);
    }
}

static uint32_t characters_before(const Source *source, size_t offset) {
    const size_t step = offset / SOURCE_STEP;
    const Str rest = str_slice(source->text, step * SOURCE_STEP, offset);
    return source->characters[step] + (uint32_t)str_count_characters(rest);
}

static const Source *source_with_lines(Session *session, uint32_t number) {
    assert(number < session->sources.count);
    Source *source = &session->sources.items[number];
    if (source->line_starts != NULL) {
        return source;
    }
    const Str text = source->text;
    uint32_t count = 1;
    for (size_t i = 0; i < text.len; i++) {
        count += text.data[i] == '\n';
    }
    source->line_starts = arena_new_array(session->arena, uint32_t, count);
    source->line_count = count;
    count_characters(session, source);
    uint32_t line = 1;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '\n') {
            source->line_starts[line++] = (uint32_t)(i + 1);
        }
    }
    return source;
}

// The index of the last line that starts at or before an offset.
static uint32_t line_index(const Source *source, uint32_t offset) {
    uint32_t low = 0;
    uint32_t high = source->line_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

Place source_place(Session *session, uint32_t number, uint32_t offset) {
    const Source *source = source_with_lines(session, number);
    if (offset > source->text.len) {
        offset = (uint32_t)source->text.len;
    }
    const uint32_t index = line_index(source, offset);
    const uint32_t before = characters_before(source, offset) - characters_before(source, source->line_starts[index]);
    return (Place){ .line = index + 1, .column = before + 1 };
}

uint32_t source_line_number(Session *session, uint32_t number, uint32_t offset) {
    return line_index(source_with_lines(session, number), offset) + 1;
}

Str source_line(Session *session, uint32_t number, uint32_t line) {
    const Source *source = source_with_lines(session, number);
    if (line == 0 || line > source->line_count) {
        return STR_NONE;
    }
    const size_t start = source->line_starts[line - 1];
    size_t end = line < source->line_count ? source->line_starts[line] - 1 : source->text.len;
    if (end > start && source->text.data[end - 1] == '\r') {
        end--;
    }
    return str_slice(source->text, start, end);
}

Str source_text(const Session *session, Span span) {
    return str_slice(source_get(session, span.source)->text, span.start, span.end);
}

Span span_join(Span first, Span last) {
    if (span_is_none(first)) {
        return last;
    }
    if (first.source != last.source) {
        return first;
    }
    return (Span){
        .source = first.source,
        .start = first.start < last.start ? first.start : last.start,
        .end = first.end > last.end ? first.end : last.end,
    };
}

bool span_is_none(Span span) {
    return span.source == 0;
}

bool span_equal(Span a, Span b) {
    return a.source == b.source && a.start == b.start && a.end == b.end;
}

bool span_holds(Span outer, Span inner) {
    return outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end;
}
