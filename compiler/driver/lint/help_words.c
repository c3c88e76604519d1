// Rewrites each text that stands between back quotes in a help: an entry of a map of YAML, or a map, as a program would
// write it. What cannot be read as one stays as it is.
#include "compiler/driver/lint/help_words.h"

enum { DEPTH_MAX = 8 };

typedef struct {
    StrBuf *out;
    Str text;
    size_t at;
    int depth;
} Reader;

static char peek(const Reader *reader) {
    return str_at(reader->text, reader->at);
}

static void skip_blanks(Reader *reader) {
    while (peek(reader) == ' ') {
        reader->at++;
    }
}

static bool take(Reader *reader, char sign) {
    skip_blanks(reader);
    if (reader->at >= reader->text.len || peek(reader) != sign) {
        return false;
    }
    reader->at++;
    return true;
}

// ---- scalars -----------------------------------------------------------------------------------------------------

static bool is_number(Str text) {
    const size_t start = str_starts_with(text, STR("-")) ? 1 : 0;
    bool is = text.len > start;
    for (size_t i = start; i < text.len; i++) {
        is = is && char_is_digit(text.data[i]);
    }
    return is;
}

static bool is_plain_name(Str text) {
    bool is = text.len > 0 && !char_is_digit(text.data[0]);
    for (size_t i = 0; i < text.len; i++) {
        is = is && char_is_of_name(text.data[i]);
    }
    return is;
}

static void add_quoted(StrBuf *out, Str text) {
    strbuf_add_format(out, "\"%.*s\"", STR_ARG(text));
}

static void add_scalar(StrBuf *out, Str text) {
    if (is_number(text) || str_is(text, "true") || str_is(text, "false")) {
        strbuf_add(out, text);
    } else {
        add_quoted(out, text);
    }
}

// A text in quotes keeps them. Of one without, the sign behind it says where it ends.
static bool read_word(Reader *reader, const char *ends, Str *word, bool *is_quoted) {
    skip_blanks(reader);
    *is_quoted = take(reader, '"');
    const size_t start = reader->at;
    while (reader->at < reader->text.len) {
        const bool is_colon = peek(reader) == ':' && str_at(reader->text, reader->at + 1) == ' ';
        if (*is_quoted ? peek(reader) == '"' : strchr(ends, peek(reader)) != NULL || is_colon) {
            break;
        }
        reader->at++;
    }
    *word = str_trim(str_slice(reader->text, start, reader->at));
    return *is_quoted ? take(reader, '"') : word->len > 0 && strchr("!&*|>'%@=", word->data[0]) == NULL;
}

// ---- values ------------------------------------------------------------------------------------------------------

static bool add_value(Reader *reader, const char *ends);

static bool add_entry(Reader *reader, const char *ends) {
    Str key;
    bool is_quoted;
    if (!read_word(reader, ends, &key, &is_quoted) || !take(reader, ':')) {
        return false;
    }
    if (is_quoted || !is_plain_name(key)) {
        add_quoted(reader->out, key);
    } else {
        strbuf_add(reader->out, key);
    }
    strbuf_add(reader->out, STR(" = "));
    return add_value(reader, ends);
}

static bool add_items(Reader *reader, char close, bool (*add)(Reader *, const char *)) {
    static const char ENDS[] = ",]}";
    const bool is_map = close == '}';
    strbuf_add(reader->out, is_map ? STR("{ ") : STR("["));
    for (bool is_first = true; !take(reader, close); is_first = false) {
        if ((!is_first && !take(reader, ',')) || reader->at >= reader->text.len) {
            return false;
        }
        strbuf_add(reader->out, is_first ? STR_NONE : STR(", "));
        if (!add(reader, ENDS)) {
            return false;
        }
    }
    strbuf_add(reader->out, is_map ? STR(" }") : STR("]"));
    return true;
}

static bool add_value(Reader *reader, const char *ends) {
    Str word;
    bool is_quoted;
    bool is = false;
    if (++reader->depth > DEPTH_MAX) {
        return false;
    }
    if (take(reader, '{')) {
        is = add_items(reader, '}', add_entry);
    } else if (take(reader, '[')) {
        is = add_items(reader, ']', add_value);
    } else if (read_word(reader, ends, &word, &is_quoted)) {
        if (is_quoted) {
            add_quoted(reader->out, word);
        } else {
            add_scalar(reader->out, word);
        }
        is = true;
    }
    reader->depth--;
    return is;
}

// ---- texts -------------------------------------------------------------------------------------------------------

// What is said in another way there: a condition of a resource is a test of values, and has no name of its own.
static bool add_other_word(StrBuf *out, Str literal) {
    const Str allow = STR("# dtc-allow: ");
    if (str_starts_with(literal, allow)) {
        const Str code = str_slice(literal, allow.len, str_find(literal, STR(" "), allow.len));
        strbuf_add_format(out, "allow %.*s, \"…\"", STR_ARG(code));
        return true;
    }
    if (str_starts_with(literal, STR("Condition: "))) {
        strbuf_add(out, STR("Condition = …"));
        return true;
    }
    return false;
}

// A header of MIME has a colon as well, and parameters behind a `;`; what user data holds is YAML there, too.
static bool is_of_yaml(Str literal) {
    return !str_has(literal, ";") && !str_has(literal, "=") && !str_has(literal, "\\") &&
           !str_has(literal, "node.eks.aws");
}

static bool add_data(Arena *arena, StrBuf *out, Str literal) {
    StrBuf text = { .arena = arena };
    Reader reader = { .out = &text, .text = literal };
    const bool is_map = str_starts_with(literal, STR("{"));
    const bool is_read = is_of_yaml(literal) && (is_map ? add_value(&reader, "") : add_entry(&reader, ""));
    skip_blanks(&reader);
    if (!is_read || reader.at < literal.len) {
        return false;
    }
    strbuf_add(out, strbuf_str(&text));
    return true;
}

Str help_in_source_words(Arena *arena, Str help) {
    StrBuf out = { .arena = arena };
    for (size_t at = 0; at < help.len;) {
        const size_t start = str_find(help, STR("`"), at);
        const size_t end = start < help.len ? str_find(help, STR("`"), start + 1) : help.len;
        strbuf_add(&out, str_slice(help, at, start));
        if (end >= help.len) {
            strbuf_add(&out, str_slice(help, start, help.len));
            break;
        }
        const Str literal = str_slice(help, start + 1, end);
        strbuf_add(&out, STR("`"));
        if (!add_other_word(&out, literal) && !add_data(arena, &out, literal)) {
            strbuf_add(&out, literal);
        }
        strbuf_add(&out, STR("`"));
        at = end + 1;
    }
    return strbuf_str(&out);
}
