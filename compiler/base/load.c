// Turns a path into a source, or into one message that says why that failed.
#include "compiler/base/load.h"

#include "compiler/base/file.h"

// The wrong byte stands in the file itself, so the message points there; `from` is then the reason.
static void report_not_utf8(Session *session, Str path, Str text, size_t bad, Span from) {
    const uint32_t number = source_add(session, path, text);
    const Span span = { .source = number, .start = (uint32_t)bad, .end = (uint32_t)bad + 1 };
    Diag *diag = report(session, span, DIAG(not_utf8), STR_ARG(path), bad);
    if (!span_is_none(from)) {
        diag_label(session, diag, from, "read from here");
    }
}

void report_cannot_read(Session *session, Str path, const char *why, Span from) {
    Diag *diag = report(session, from, DIAG(cannot_read), STR_ARG(path), why);
    if (!span_is_none(from)) {
        diag_help(session, diag,
                  "name a regular file that can be read; paths in a source begin at the folder of that source");
    }
}

uint32_t source_load(Session *session, Str path, Span from) {
    const Str *stand_in = overlay_find(session->arena, session->overlay, path);
    if (stand_in != NULL) {
        return source_add(session, path, *stand_in); // it was held against all that follows when it was read
    }
    Str text;
    const char *fault = file_read(session->arena, path, SOURCE_BYTES_MAX, &text);
    if (fault == FILE_TOO_LARGE) {
        report(session, from, DIAG(file_too_large), STR_ARG(path), (size_t)SOURCE_BYTES_MAX);
        return 0;
    }
    if (fault != NULL) {
        report_cannot_read(session, path, fault, from);
        return 0;
    }
    const char *zero = text.len == 0 ? NULL : memchr(text.data, 0, text.len);
    if (zero != NULL) {
        report(session, from, DIAG(binary_file), STR_ARG(path), (size_t)(zero - text.data));
        return 0;
    }
    const Str mark = STR("\xEF\xBB\xBF");
    const bool has_mark = str_starts_with(text, mark);
    if (has_mark) {
        text = str_slice(text, mark.len, text.len);
    }
    size_t bad;
    if (!str_is_utf8(text, &bad)) {
        report_not_utf8(session, path, text, bad, from);
        return 0;
    }
    const uint32_t number = source_add(session, path, text);
    session->sources.items[number].has_mark = has_mark;
    return number;
}
