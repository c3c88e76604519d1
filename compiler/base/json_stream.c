// Finds where objects end, by their brackets. What is in them is not read.
#include "compiler/base/json_stream.h"

static size_t skip_blanks(Str text, size_t at) {
    while (str_at(text, at) == ' ' || str_at(text, at) == '\t' || str_at(text, at) == '\n' ||
           str_at(text, at) == '\r') {
        at++;
    }
    return at;
}

// Behind the closing quote.
static size_t skip_string(Str text, size_t at) {
    at++;
    while (at < text.len && text.data[at] != '"') {
        at += text.data[at] == '\\' ? 2 : 1;
    }
    return at < text.len ? at + 1 : text.len;
}

// Behind the bracket that closes the object; the end of the text where none does, or none opens.
static size_t object_end(Str text, size_t at) {
    int64_t open = 0;
    while (at < text.len) {
        const char c = text.data[at];
        open += c == '{' ? 1 : c == '}' ? -1 : 0;
        at = c == '"' ? skip_string(text, at) : at + 1;
        if (open <= 0) {
            return c == '}' ? at : text.len;
        }
    }
    return text.len;
}

bool json_stream_is(Str text) {
    const size_t start = skip_blanks(text, 0);
    return str_at(text, start) == '{' && str_at(text, skip_blanks(text, object_end(text, start))) == '{';
}

bool json_stream_next(Str text, size_t *end, Str *object) {
    const size_t start = skip_blanks(text, *end);
    *end = object_end(text, start);
    *object = str_slice(text, start, *end);
    return object->len > 0;
}
