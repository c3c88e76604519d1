// One table of shapes, looked for in one pass. Precision comes before completeness. The name of a person, a usage line
// of a script or a variable of a shell must never stop a build. So each row names what it leaves alone.
#include "compiler/plan/rules/placeholder.h"

typedef enum {
    SHAPE_WORD,   // the word, and what is tied to it with `_`: PLACEHOLDER_VPC
    SHAPE_YOUR,   // in angle brackets, beginning with the word: <your-bucket>
    SHAPE_UPPER,  // in angle brackets, upper case with an underscore, or the word: <ACCOUNT_ID>
    SHAPE_DOLLAR, // ${NAME}
} Shape;

typedef struct {
    Shape shape;
    TextUse least; // the uses from this one on in which it is a finding
    const char *word;
} PlaceholderRow;

// The samples of awslabs/awsome-distributed-ai at 7217859f, counted 2026-11: 11 YAML and JSON files hold the first four
// kinds, 22 go through envsubst. CHANGEME is in golemcloud/golem#2709; REPLACE_ME, and variables that nothing replaces, are
// in aws-samples/eks-workshop#635, 2026-11.
static const PlaceholderRow PLACEHOLDER_ROWS[] = {
    { SHAPE_WORD, TEXT_SCRIPT, "PLACEHOLDER" }, { SHAPE_WORD, TEXT_SCRIPT, "CHANGE_ME" },
    { SHAPE_WORD, TEXT_SCRIPT, "CHANGEME" },    { SHAPE_WORD, TEXT_SCRIPT, "REPLACE_ME" },
    { SHAPE_WORD, TEXT_SCRIPT, "REPLACEME" },   { SHAPE_YOUR, TEXT_SCRIPT, "your" },
    { SHAPE_UPPER, TEXT_VALUE, "ACCOUNT" },     { SHAPE_UPPER, TEXT_VALUE, "REGION" },
    { SHAPE_UPPER, TEXT_VALUE, "_" },           { SHAPE_DOLLAR, TEXT_PLAIN, "" },
};

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c) {
    return is_upper(c) || (c >= 'a' && c <= 'z');
}

static bool is_word(char c) {
    return is_letter(c) || char_is_digit(c) || c == '_';
}

// `s/PLACEHOLDER/…/` is a script that replaces it itself.
static bool is_replaced(Str text, size_t at) {
    if (at < 2 || text.data[at - 2] != 's' || memchr("/|#,@", text.data[at - 1], 5) == NULL) {
        return false;
    }
    return at == 2 || !is_word(text.data[at - 3]);
}

static size_t word_end(Str text, size_t at, const char *word) {
    size_t end = at + strlen(word);
    bool is_inside = at > 0 && is_word(text.data[at - 1]);
    if (is_inside || !str_starts_with(str_slice(text, at, text.len), str_of(word)) || is_replaced(text, at)) {
        return 0;
    }
    if (str_at(text, end) != '_' && is_word(str_at(text, end))) {
        return 0;
    }
    while (is_word(str_at(text, end))) {
        end++;
    }
    return end;
}

// Behind the `>` that closes what is opened at `at`, on the same line and with nothing but words between; 0: there is
// none. `<<EOF>` is a shell's.
static size_t angle_end(Str text, size_t at) {
    bool is_shell = at > 0 && text.data[at - 1] == '<';
    size_t end = at + 1;
    while (is_word(str_at(text, end)) || memchr(" -.", str_at(text, end), 3) != NULL) {
        end++;
    }
    return !is_shell && str_at(text, end) == '>' ? end + 1 : 0;
}

static size_t your_end(Str text, size_t at, const char *word) {
    const Str inner = str_slice(text, at + 1, text.len);
    const char next = str_at(inner, strlen(word));
    const bool is_it = str_starts_with_in_any_case(inner, str_of(word)) && (next == ' ' || next == '-' || next == '_');
    return is_it ? angle_end(text, at) : 0;
}

static size_t upper_end(Str text, size_t at, const char *word) {
    const size_t end = angle_end(text, at);
    if (end == 0 || !is_upper(text.data[at + 1])) {
        return 0;
    }
    const Str inner = str_slice(text, at + 1, end - 1);
    for (size_t i = 1; i < inner.len; i++) {
        char c = inner.data[i];
        if (!is_upper(c) && !char_is_digit(c) && c != '_' && c != '-') {
            return 0;
        }
    }
    bool is_it = strcmp(word, "_") == 0 ? memchr(inner.data, '_', inner.len) != NULL : str_is(inner, word);
    return is_it ? end : 0;
}

// `${NAME}` and `${AWS::Region}`; a policy variable such as `${aws:username}`, and what a shell works out, are none.
static size_t dollar_end(Str text, size_t at) {
    const size_t name = at + 2;
    bool is_escaped = at > 0 && text.data[at - 1] == '$';
    if (is_escaped || str_at(text, at + 1) != '{' || !is_word(str_at(text, name)) || char_is_digit(text.data[name])) {
        return 0;
    }
    size_t end = name;
    while (is_word(str_at(text, end)) || (str_at(text, end) == ':' && str_at(text, end + 1) == ':')) {
        end += is_word(text.data[end]) ? 1 : 2;
    }
    return str_at(text, end) == '}' ? end + 1 : 0;
}

static size_t shape_end(const PlaceholderRow *row, Str text, size_t at) {
    switch (row->shape) {
    case SHAPE_WORD:
        return word_end(text, at, row->word);
    case SHAPE_YOUR:
        return your_end(text, at, row->word);
    case SHAPE_UPPER:
        return upper_end(text, at, row->word);
    case SHAPE_DOLLAR:
        return dollar_end(text, at);
    }
    return 0;
}

// What a placeholder can begin with: most texts have none of it, and are done with here.
static bool may_begin(char c) {
    return c == 'P' || c == 'C' || c == 'R' || c == '<' || c == '$';
}

static char first_of(const PlaceholderRow *row) {
    return row->shape == SHAPE_WORD ? row->word[0] : row->shape == SHAPE_DOLLAR ? '$' : '<';
}

bool placeholder_find(Str text, TextUse use, size_t from, size_t *start, size_t *end) {
    for (size_t at = from; at < text.len; at++) {
        if (!may_begin(text.data[at])) {
            continue;
        }
        for (size_t i = 0; i < COUNT_OF(PLACEHOLDER_ROWS); i++) {
            const PlaceholderRow *row = &PLACEHOLDER_ROWS[i];
            size_t found = use >= row->least && first_of(row) == text.data[at] ? shape_end(row, text, at) : 0;
            if (found > 0) {
                *start = at;
                *end = found;
                return true;
            }
        }
    }
    return false;
}
