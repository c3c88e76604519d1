// Reads a path step by step and writes one. A path has no blanks that mean nothing: what is not a bracket, a dot or a
// quote is part of a key. Reading never looks further than its own step, so a path may be as long as a string may.
#include "compiler/base/doc_path.h"

static bool is_bare_end(char c) {
    return c == '.' || c == '[' || c == ']' || c == '"';
}

static bool fail(DocPath *path, size_t offset, const char *fault) {
    path->offset = offset;
    path->fault = fault;
    return false;
}

static char byte_at(const DocPath *path, size_t offset) {
    return offset < path->text.len ? path->text.data[offset] : '\0';
}

// A text in double quotes from `start` on, whose only escapes are `\"` and `\\`; `*end` is behind the closing quote.
static bool read_quoted(DocPath *path, size_t start, Str *text, size_t *end) {
    bool has_escapes = false;
    size_t offset = start + 1;
    while (offset < path->text.len && path->text.data[offset] != '"') {
        if (path->text.data[offset] == '\\') {
            const char escaped = byte_at(path, offset + 1);
            if (escaped != '"' && escaped != '\\') {
                return fail(path, offset, "a `\\` in quotes stands before `\"` or `\\`");
            }
            has_escapes = true;
            offset++;
        }
        offset++;
    }
    if (offset >= path->text.len) {
        return fail(path, start, "the closing quote is missing");
    }
    *end = offset + 1;
    *text = str_slice(path->text, start + 1, offset);
    if (!has_escapes) {
        return true;
    }
    StrBuf decoded = { .arena = path->arena };
    for (size_t i = 0; i < text->len; i++) {
        i += text->data[i] == '\\';
        strbuf_add_char(&decoded, text->data[i]);
    }
    *text = strbuf_str(&decoded);
    return true;
}

// Text up to one of the bytes that end a bare key, or up to `also`.
static Str read_bare(const DocPath *path, size_t start, char also) {
    size_t end = start;
    while (end < path->text.len && !is_bare_end(path->text.data[end]) && path->text.data[end] != also) {
        end++;
    }
    return str_slice(path->text, start, end);
}

static bool is_number(Str text, uint32_t *number) {
    uint64_t value = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return false;
        }
        value = value * 10 + (uint64_t)(text.data[i] - '0');
        value = value > UINT32_MAX ? UINT32_MAX : value;
    }
    *number = (uint32_t)value;
    return text.len > 0;
}

// What `Name=` in brackets is compared with. Without quotes it may hold dots: `[ImageId=ami.x]`.
static bool read_match_value(DocPath *path, size_t start, Str *value, size_t *end) {
    if (byte_at(path, start) == '"') {
        return read_quoted(path, start, value, end);
    }
    *end = start;
    while (*end < path->text.len && path->text.data[*end] != ']') {
        (*end)++;
    }
    *value = str_slice(path->text, start, *end);
    return true;
}

static bool read_bracket(DocPath *path, DocStep *step) {
    const size_t start = path->offset + 1;
    const Str word = read_bare(path, start, '=');
    size_t end = start + word.len;
    if (word.len == 0 && byte_at(path, start) == '"') {
        step->kind = STEP_KEY;
        if (!read_quoted(path, start, &step->key, &end)) {
            return false;
        }
    } else if (word.len > 0 && byte_at(path, end) == '=') {
        step->kind = STEP_MATCH;
        step->key = word;
        if (!read_match_value(path, end + 1, &step->value, &end)) {
            return false;
        }
    } else if (is_number(word, &step->index)) {
        step->kind = STEP_INDEX;
    } else if (str_is(word, "+")) {
        step->kind = STEP_APPEND;
    } else {
        return fail(path, path->offset, "brackets hold a number, `+`, `Name=value` or a key in quotes");
    }
    if (byte_at(path, end) != ']') {
        return fail(path, path->offset, "the `]` is missing");
    }
    step->end = end + 1;
    return true;
}

// What stands where a key should begin.
static const char *key_fault(char found) {
    switch (found) {
    case '"':
        return "a key in quotes stands in brackets";
    case '[':
        return "there is no dot before a `[`";
    case ']':
        return "there is no `[` before the `]`";
    }
    return "a key is missing";
}

static bool read_key(DocPath *path, DocStep *step) {
    step->kind = STEP_KEY;
    step->key = read_bare(path, path->offset, '.');
    step->end = path->offset + step->key.len;
    if (step->key.len > 0) {
        return true;
    }
    return fail(path, path->offset, key_fault(byte_at(path, path->offset)));
}

bool doc_path_next(DocPath *path, DocStep *step) {
    const bool is_first = path->offset == 0;
    *step = (DocStep){ .start = path->offset };
    if (path->fault != NULL || (path->offset == path->text.len && !is_first)) {
        return false;
    }
    bool is_read;
    if (byte_at(path, path->offset) == '[') {
        is_read = read_bracket(path, step);
    } else {
        // Behind a step stands a dot and a key, or a bracket at once.
        if (!is_first && byte_at(path, path->offset) == '.') {
            path->offset++;
            step->start++;
        } else if (!is_first) {
            return fail(path, path->offset, "behind a step stands a dot or a `[`");
        }
        is_read = read_key(path, step);
    }
    if (is_read) {
        path->offset = step->end;
    }
    return is_read;
}

static bool is_bare(Str key) {
    for (size_t i = 0; i < key.len; i++) {
        if (is_bare_end(key.data[i])) {
            return false;
        }
    }
    return key.len > 0;
}

void doc_path_add_key(StrBuf *path, Str key) {
    if (is_bare(key)) {
        if (path->len > 0) {
            strbuf_add_char(path, '.');
        }
        strbuf_add(path, key);
        return;
    }
    strbuf_add(path, STR("[\""));
    for (size_t i = 0; i < key.len; i++) {
        if (key.data[i] == '"' || key.data[i] == '\\') {
            strbuf_add_char(path, '\\');
        }
        strbuf_add_char(path, key.data[i]);
    }
    strbuf_add(path, STR("\"]"));
}

void doc_path_add_index(StrBuf *path, uint32_t index) {
    strbuf_add_format(path, "[%" PRIu32 "]", index);
}
