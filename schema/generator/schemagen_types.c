// Types as the rows of kinds write them ("all | none | int", "list(zone)", "key_name?") -> static Type tables. Two
// types with the same content are one table. What a bare name is. It is a word or tag if the row's `words` explain it,
// or else a built-in type, a pattern type, or a kind of block. Any other name is a misspelling.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"
#include "compiler/base/suggest.h"

enum {
    OPTIONS_MAX = 40,
    NESTING_MAX = 8,
};

static const Word BUILT_IN[] = {
    { "bool", "TYPE_BOOL" }, { "int", "TYPE_INT" },     { "string", "TYPE_STRING" },     { "size", "TYPE_SIZE" },
    { "rate", "TYPE_RATE" }, { "range", "TYPE_RANGE" }, { "duration", "TYPE_DURATION" },
};

typedef struct {
    Generator *generator;
    Span span; // of the whole text: a type is short
    Str text;
    size_t at;
    const Data *words;
    const TargetBits *outer;
    uint64_t words_used; // bits
    bool has_failed;
} Reader;

// A list of types between `(` and `)`, or between bars.
typedef struct {
    int numbers[OPTIONS_MAX];
    bool is_word[OPTIONS_MAX]; // or a tag
    int count;
} Options;

static int read_union(Reader *reader, int depth, bool *is_word);

static int fail(Reader *reader, const char *what, Str name) {
    if (!reader->has_failed) {
        cell_fault(reader->generator->session, reader->span, "%s `%.*s` in the type `%.*s`", what, STR_ARG(name),
                   STR_ARG(reader->text));
    }
    reader->has_failed = true;
    return -1;
}

static void skip_blanks(Reader *reader) {
    while (reader->at < reader->text.len && strchr(" \n", reader->text.data[reader->at]) != NULL) {
        reader->at++;
    }
}

static bool take(Reader *reader, char c) {
    skip_blanks(reader);
    if (reader->at < reader->text.len && reader->text.data[reader->at] == c) {
        reader->at++;
        return true;
    }
    return false;
}

static Str take_name(Reader *reader) {
    skip_blanks(reader);
    const size_t start = reader->at;
    while (reader->at < reader->text.len) {
        const char c = reader->text.data[reader->at];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) {
            break;
        }
        reader->at++;
    }
    return str_slice(reader->text, start, reader->at);
}

// ---- tables ----------------------------------------------------------------------------------------------------

// The number of the Type with this initialiser; written out when it is first asked for.
static int table_number(Generator *generator, Str initialiser) {
    const int *known = str_map_get(&generator->types, initialiser);
    if (known != NULL) {
        return *known;
    }
    int *number = arena_new(generator->arena, int);
    *number = (int)generator->types.count;
    str_map_add(&generator->types, initialiser, number);
    put(&generator->tables, "static const Type TYPE_ROW_%d = { %.*s };\n", *number, STR_ARG(initialiser));
    return *number;
}

static void put_head(StrBuf *out, const char *kind, Str name, bool is_optional) {
    put(out, ".kind = %s, .name = ", kind);
    put_string(out, name);
    if (is_optional) {
        put(out, ", .is_optional = true");
    }
}

static void put_options(StrBuf *out, const Options *options) {
    put(out, ", .option_count = %d, .options = (const Type *const[]){ ", options->count);
    for (int i = 0; i < options->count; i++) {
        put(out, "&TYPE_ROW_%d%s", options->numbers[i], i + 1 < options->count ? ", " : " }");
    }
}

// ---- names -----------------------------------------------------------------------------------------------------

enum { WORD_DOC, WORD_TARGETS, WORD_LATER, WORD_INSTEAD, WORD_COLUMN_COUNT };

static const Column WORD_COLUMNS[WORD_COLUMN_COUNT] = {
    [WORD_DOC] = { "doc", CELL_TEXT },
    [WORD_TARGETS] = { "targets", CELL_LIST | CELL_OPTIONAL },
    [WORD_LATER] = { "later", CELL_LIST | CELL_OPTIONAL },
    [WORD_INSTEAD] = { "instead", CELL_TEXT | CELL_OPTIONAL },
};

// What explains a word or tag: its doc, or a map of that and its targets.
static const Data *word_row(Reader *reader, Str name) {
    for (uint32_t i = 0; reader->words != NULL && i < reader->words->count; i++) {
        if (str_equal(reader->words->entries[i].key, name)) {
            reader->words_used |= UINT64_C(1) << i;
            return reader->words->entries[i].value;
        }
    }
    return NULL;
}

static void put_word_row(Reader *reader, StrBuf *out, Str name, const Data *row) {
    const Data *cells[WORD_COLUMN_COUNT] = { [WORD_DOC] = row };
    if (row->kind == DATA_MAP &&
        !cells_read(reader->generator->session, name, row->span, row, NULL, WORD_COLUMNS, WORD_COLUMN_COUNT, cells)) {
        reader->has_failed = true;
        return;
    }
    put(out, ", .doc = ");
    put_cell_string(out, cells[WORD_DOC]);
    if (row->kind == DATA_MAP) {
        put(out, ", ");
        put_target_sets(reader->generator, out, name, row->span, cells[WORD_TARGETS], cells[WORD_LATER], reader->outer);
        put(out, ", .instead = ");
        put_cell_string(out, cells[WORD_INSTEAD]);
    }
}

static int pattern_number(const Generator *generator, Str name) {
    for (uint32_t i = 0; i < generator->patterns.count; i++) {
        if (str_equal(generator->patterns.items[i], name)) {
            return (int)i;
        }
    }
    return -1;
}

// A type that is one name: built in, a pattern, or a kind. -1 where it is none.
static int named_type(Generator *generator, Str name, Str written, bool is_optional) {
    StrBuf out = { .arena = generator->arena };
    for (size_t i = 0; i < COUNT_OF(BUILT_IN); i++) {
        if (str_is(name, BUILT_IN[i].word)) {
            put_head(&out, BUILT_IN[i].c, written, is_optional);
            return table_number(generator, strbuf_str(&out));
        }
    }
    const int pattern = pattern_number(generator, name);
    if (pattern >= 0) {
        put_head(&out, "TYPE_PATTERN", written, is_optional);
        put(&out, ", .pattern = &PATTERN_ROWS[%d]", pattern);
        return table_number(generator, strbuf_str(&out));
    }
    for (uint32_t i = 0; i < generator->kinds.count; i++) {
        if (str_equal(generator->kinds.items[i].name, name)) {
            put_head(&out, "TYPE_BLOCK", name, is_optional);
            return table_number(generator, strbuf_str(&out));
        }
    }
    return -1;
}

static int unknown_name(Reader *reader, Str name) {
    Suggestion suggestion = { .name = name };
    for (size_t i = 0; i < COUNT_OF(BUILT_IN); i++) {
        suggest_offer(&suggestion, str_of(BUILT_IN[i].word));
    }
    for (uint32_t i = 0; i < reader->generator->patterns.count; i++) {
        suggest_offer(&suggestion, reader->generator->patterns.items[i]);
    }
    if (suggestion.best.len > 0 && !reader->has_failed) {
        cell_fault(reader->generator->session, reader->span,
                   "`%.*s` is no type and no word of `words`; did you mean `%.*s`?", STR_ARG(name),
                   STR_ARG(suggestion.best));
        reader->has_failed = true;
    }
    return fail(reader, "no type and no word of `words`:", name);
}

// ---- the grammar -----------------------------------------------------------------------------------------------

// NAME '(' union { ',' union } ')': a list, a map, or a tag. The reader stands behind the bracket.
static int read_call(Reader *reader, Str name, size_t start, const Data *row, int depth) {
    Options arguments = { 0 };
    do {
        if (arguments.count == OPTIONS_MAX) {
            return fail(reader, "too many arguments of", name);
        }
        bool is_word;
        arguments.numbers[arguments.count] = read_union(reader, depth + 1, &is_word);
        arguments.count++;
    } while (!reader->has_failed && take(reader, ','));
    if (reader->has_failed || !take(reader, ')')) {
        return fail(reader, "no `)` behind", name);
    }
    StrBuf out = { .arena = reader->generator->arena };
    const bool is_list = str_is(name, "list");
    if (is_list || str_is(name, "map")) {
        const bool is_optional = take(reader, '?');
        const Str written = str_trim(str_slice(reader->text, start, reader->at));
        put_head(&out, is_list ? "TYPE_LIST" : "TYPE_MAP", written, is_optional);
        put(&out, ", .element = &TYPE_ROW_%d", arguments.numbers[0]);
        return arguments.count == 1 ? table_number(reader->generator, strbuf_str(&out))
                                    : fail(reader, "more than one argument of", name);
    }
    if (row == NULL) {
        return fail(reader, "no doc in `words` for the tag", name);
    }
    put_head(&out, "TYPE_TAG", name, false);
    put_word_row(reader, &out, name, row);
    put(&out, ", .element = &TYPE_ROW_%d", arguments.numbers[0]);
    put_options(&out, &arguments);
    return table_number(reader->generator, strbuf_str(&out));
}

static int read_part(Reader *reader, int depth, bool *is_word) {
    skip_blanks(reader);
    const size_t start = reader->at;
    const Str name = take_name(reader);
    if (name.len == 0 || depth > NESTING_MAX) {
        return fail(reader, "no name at", str_slice(reader->text, start, reader->text.len));
    }
    const Data *row = word_row(reader, name);
    *is_word = row != NULL;
    if (take(reader, '(')) {
        return read_call(reader, name, start, row, depth);
    }
    if (row != NULL) {
        StrBuf out = { .arena = reader->generator->arena };
        put_head(&out, "TYPE_WORD", name, false);
        put_word_row(reader, &out, name, row);
        return table_number(reader->generator, strbuf_str(&out));
    }
    const bool is_optional = take(reader, '?');
    const Str written = str_trim(str_slice(reader->text, start, reader->at));
    const int number = named_type(reader->generator, name, written, is_optional);
    return number >= 0 ? number : unknown_name(reader, name);
}

// Words and tags go first: a reader of a bare word asks for them before it looks further.
static Options words_first(const Options *options) {
    Options sorted = { 0 };
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < options->count; i++) {
            if (options->is_word[i] == (pass == 0)) {
                sorted.numbers[sorted.count++] = options->numbers[i];
            }
        }
    }
    return sorted;
}

static int read_union(Reader *reader, int depth, bool *is_word) {
    skip_blanks(reader);
    const size_t start = reader->at;
    Options options = { 0 };
    do {
        if (options.count == OPTIONS_MAX) {
            return fail(reader, "too many options in", reader->text);
        }
        options.numbers[options.count] = read_part(reader, depth, &options.is_word[options.count]);
        options.count++;
    } while (!reader->has_failed && take(reader, '|'));
    *is_word = options.is_word[0];
    if (reader->has_failed || options.count == 1) {
        return reader->has_failed ? -1 : options.numbers[0];
    }
    const Options sorted = words_first(&options);
    StrBuf out = { .arena = reader->generator->arena };
    put_head(&out, "TYPE_UNION", str_trim(str_slice(reader->text, start, reader->at)), false);
    put_options(&out, &sorted);
    return table_number(reader->generator, strbuf_str(&out));
}

int read_type(Generator *generator, const Data *text, const Data *words, const TargetBits *outer) {
    Reader reader = {
        .generator = generator, .span = text->span, .text = str_trim(text->string), .words = words, .outer = outer
    };
    for (uint32_t i = 0; words != NULL && i < words->count; i++) {
        const DataKind kind = words->entries[i].value->kind;
        if ((kind != DATA_STRING && kind != DATA_MAP) || i >= 64) {
            cell_fault(generator->session, words->entries[i].key_span,
                       "a word has a doc that is text, and a type at most 64 words");
            return -1;
        }
    }
    bool is_word;
    const int number = read_union(&reader, 0, &is_word);
    skip_blanks(&reader);
    if (!reader.has_failed && reader.at < reader.text.len) {
        fail(&reader, "cannot read", str_slice(reader.text, reader.at, reader.text.len));
    }
    for (uint32_t i = 0; !reader.has_failed && words != NULL && i < words->count; i++) {
        if ((reader.words_used & UINT64_C(1) << i) == 0) {
            cell_fault(generator->session, words->entries[i].key_span, "the type has no word `%.*s`",
                       STR_ARG(words->entries[i].key));
        }
    }
    return reader.has_failed ? -1 : number;
}

void write_named_types(Generator *generator) {
    StrBuf list = { .arena = generator->arena };
    for (size_t i = 0; i < COUNT_OF(BUILT_IN); i++) {
        const Str name = str_of(BUILT_IN[i].word);
        put(&list, "    &TYPE_ROW_%d,\n", named_type(generator, name, name, false));
    }
    for (uint32_t i = 0; i < generator->patterns.count; i++) {
        const Str name = generator->patterns.items[i];
        put(&list, "    &TYPE_ROW_%d,\n", named_type(generator, name, name, false));
    }
    put(&generator->tables, "\nconst Type *const NAMED_TYPES[] = {\n%.*s};\nconst int NAMED_TYPE_COUNT = %zu;\n\n",
        STR_ARG(strbuf_str(&list)), COUNT_OF(BUILT_IN) + generator->patterns.count);
}
