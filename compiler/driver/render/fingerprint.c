// A finding is known again by its file, its code and the text of its line. The number of the line is left out, so that a
// line above it may come or go.
#include "compiler/driver/render/fingerprint.h"

#include "compiler/base/sha256.h"

enum {
    LINE_BYTES_MAX = 400, // a longer line is a whole file on one line, and would change with all of it
    DIGITS = 16
};

Str fingerprint_line(Session *session, const Diag *diag) {
    if (span_is_none(diag->span)) {
        return STR_NONE;
    }
    const uint32_t number = source_line_number(session, diag->span.source, diag->span.start);
    const Str line = str_trim(source_line(session, diag->span.source, number));
    return line.len <= LINE_BYTES_MAX ? line : str_trim(source_text(session, diag->span));
}

Str fingerprint_of(Arena *arena, Str path, const char *code, Str line) {
    const Str text = str_format(arena, "%.*s\n%s\n%.*s", STR_ARG(path), code, STR_ARG(line));
    return str_slice(sha256_text(arena, text), 0, DIGITS);
}
