// schema/types.yaml -> PATTERN_ROWS. Each pattern is tried on its own example and counterexample, and stays in what
// PCRE2 and Java, which reads CloudFormation's AllowedPattern, understand alike.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"
#include "compiler/base/pattern.h"

enum {
    COLUMN_PATTERN,
    COLUMN_EXAMPLE,
    COLUMN_COUNTEREXAMPLE,
    COLUMN_DOC,
    COLUMN_SOURCE,
    COLUMN_CFN_TYPE,
    COLUMN_CFN_LIST_TYPE,
    COLUMN_FIX_HINT,
    COLUMN_COUNT
};

static const Column COLUMNS[COLUMN_COUNT] = {
    [COLUMN_PATTERN] = { "pattern", CELL_TEXT },
    [COLUMN_EXAMPLE] = { "example", CELL_TEXT },
    [COLUMN_COUNTEREXAMPLE] = { "counterexample", CELL_TEXT },
    [COLUMN_DOC] = { "doc", CELL_TEXT },
    [COLUMN_SOURCE] = { "source", CELL_TEXT },
    [COLUMN_CFN_TYPE] = { "cfn_type", CELL_TEXT },
    [COLUMN_CFN_LIST_TYPE] = { "cfn_list_type", CELL_TEXT },
    [COLUMN_FIX_HINT] = { "fix_hint", CELL_TEXT | CELL_OPTIONAL },
};

// What the two languages write differently begins with `(?` or with a backslash and a letter, so neither is let in.
static void check_dialect(Generator *generator, const Data *cell) {
    const Str pattern = cell->string;
    if (pattern.len < 2 || pattern.data[0] != '^' || pattern.data[pattern.len - 1] != '$') {
        cell_fault(generator->session, cell->span, "a pattern is anchored: it begins with `^` and ends with `$`");
    }
    for (size_t i = 0; i + 1 < pattern.len; i++) {
        const char c = pattern.data[i];
        const char next = pattern.data[i + 1];
        const bool is_letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
        if ((c == '(' && next == '?') || (c == '\\' && is_letter)) {
            cell_fault(generator->session, cell->span,
                       "`%c%c` is not in the subset that AllowedPattern understands too", c, next);
        }
        if (c == '\\') {
            i++;
        }
    }
}

static void check_match(Generator *generator, const Data *pattern, const Data *text, bool should_match) {
    Str reason = STR_NONE;
    const char *role = should_match ? "example" : "counterexample";
    switch (pattern_match(generator->session, pattern->string, text->string, &reason)) {
    case PATTERN_BAD:
        cell_fault(generator->session, pattern->span, "this is no regular expression: %.*s", STR_ARG(reason));
        break;
    case PATTERN_LIMIT:
        cell_fault(generator->session, pattern->span, "the pattern takes too long on its %s `%.*s`", role,
                   STR_ARG(text->string));
        break;
    case PATTERN_YES:
        if (!should_match) {
            cell_fault(generator->session, text->span, "the pattern matches its counterexample `%.*s`",
                       STR_ARG(text->string));
        }
        break;
    case PATTERN_NO:
        if (should_match) {
            cell_fault(generator->session, text->span, "the pattern does not match its example `%.*s`",
                       STR_ARG(text->string));
        }
        break;
    }
}

static void put_row(Generator *generator, const DataEntry *entry) {
    const Data *cells[COLUMN_COUNT];
    if (!cells_read(generator->session, entry->key, entry->key_span, entry->value, NULL, COLUMNS, COLUMN_COUNT,
                    cells)) {
        return;
    }
    check_dialect(generator, cells[COLUMN_PATTERN]);
    check_match(generator, cells[COLUMN_PATTERN], cells[COLUMN_EXAMPLE], true);
    check_match(generator, cells[COLUMN_PATTERN], cells[COLUMN_COUNTEREXAMPLE], false);

    StrBuf *out = &generator->tables;
    put(out, "    { .name = ");
    put_string(out, entry->key);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        put(out, ",\n      .%s = ", COLUMNS[i].name);
        put_cell_string(out, cells[i]);
    }
    put(out, " },\n");
}

void generate_patterns(Generator *generator) {
    const Data *file = read_table(generator, STR("types.yaml"));
    if (file == NULL) {
        return;
    }
    put(&generator->tables, "const PatternRow PATTERN_ROWS[] = {\n");
    for (uint32_t i = 0; i < file->count; i++) {
        vec_push(generator->arena, &generator->patterns, file->entries[i].key);
        put_row(generator, &file->entries[i]);
    }
    put(&generator->tables, "};\nconst int PATTERN_ROW_COUNT = %" PRIu32 ";\n\n", file->count);
}
