// Looks at the bytes of a text of YAML before libfyaml reads it, for what the library takes and must not.
#include "compiler/base/yaml_check.h"

#include "compiler/base/yaml_read.h"

// The compiler looks at the bytes of a block at once.
enum { BLOCK = 32 };

static unsigned char is_control(char c) {
    return (unsigned char)(((unsigned char)c < 0x20) & (c != '\t') & (c != '\n') & (c != '\r'));
}

static bool has_control(const char *block) {
    unsigned char has = 0;
    for (int i = 0; i < BLOCK; i++) {
        has |= is_control(block[i]);
    }
    return has != 0;
}

// The library takes control characters as they come, and bytes that are not UTF-8 for the end of the text; YAML allows
// neither.
static bool check_characters(Session *session, uint32_t source, Str text) {
    size_t at = 0;
    if (!str_is_utf8(text, &at)) {
        const Span span = { .source = source, .start = (uint32_t)at, .end = (uint32_t)at + 1 };
        report(session, span, DIAG(not_utf8), STR_ARG(source_get(session, source)->path), at);
        return false;
    }
    for (at = 0; text.len - at >= BLOCK && !has_control(text.data + at);) {
        at += BLOCK;
    }
    while (at < text.len && !is_control(text.data[at])) {
        at++;
    }
    if (at < text.len) {
        const Span span = { .source = source, .start = (uint32_t)at, .end = (uint32_t)at + 1 };
        const Str message =
            str_format(session->arena, "it holds the control character U+%04X", (unsigned)text.data[at]);
        report(session, span, DIAG(bad_yaml), STR_ARG(message));
        return false;
    }
    return true;
}

static unsigned char is_opening(char c) {
    return (unsigned char)((c == '[') | (c == '{'));
}

static unsigned openings_of(const char *block) {
    unsigned char count = 0;
    for (int i = 0; i < BLOCK; i++) {
        count = (unsigned char)(count + is_opening(block[i]));
    }
    return count;
}

// Whether there are so many brackets at all.
static bool may_open_too_many(Str text) {
    size_t count = 0;
    size_t at = 0;
    for (; text.len - at >= BLOCK; at += BLOCK) {
        count += openings_of(text.data + at);
    }
    for (; at < text.len; at++) {
        count += is_opening(text.data[at]);
    }
    return count > YAML_BRACKETS_MAX;
}

// The library reads on to the partner of each open bracket before it tells of the first, and so before any depth can be
// checked. Brackets in texts are counted with the others: to know them one would have to read the YAML.
static bool check_brackets(Session *session, uint32_t source, Str text) {
    if (!may_open_too_many(text)) {
        return true;
    }
    int open = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        if (is_opening(c)) {
            open++;
        } else if ((c == ']' || c == '}') && open > 0) {
            open--;
        }
        if (open > YAML_BRACKETS_MAX) {
            const Span span = { .source = source, .start = (uint32_t)i, .end = (uint32_t)i + 1 };
            report(session, span, DIAG(yaml_open_brackets), YAML_BRACKETS_MAX);
            return false;
        }
    }
    return true;
}

bool yaml_check(Session *session, uint32_t source, Str text) {
    return check_characters(session, source, text) && check_brackets(session, source, text);
}
