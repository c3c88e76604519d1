// schema/kinds/<kind>.yaml -> KIND_ROWS, the numbers of kinds and attributes, and what their blocks give. All files are
// read before the first is printed, since types and parents name other kinds.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"

enum {
    KIND_KIND,
    KIND_DOC,
    KIND_TARGETS,
    KIND_LATER,
    KIND_INSTEAD,
    KIND_PARENTS,
    KIND_SINGLETON,
    KIND_OFFABLE,
    KIND_ATTRIBUTES,
    KIND_OUTPUTS,
    KIND_COLUMN_COUNT
};

static const Column KIND_COLUMNS[KIND_COLUMN_COUNT] = {
    [KIND_KIND] = { "kind", CELL_TEXT },
    [KIND_DOC] = { "doc", CELL_TEXT },
    [KIND_TARGETS] = { "targets", CELL_LIST },
    [KIND_LATER] = { "later", CELL_LIST | CELL_OPTIONAL },
    [KIND_INSTEAD] = { "instead", CELL_TEXT | CELL_OPTIONAL },
    [KIND_PARENTS] = { "parents", CELL_LIST | CELL_OPTIONAL },
    [KIND_SINGLETON] = { "singleton", CELL_BOOL | CELL_OPTIONAL },
    [KIND_OFFABLE] = { "offable", CELL_BOOL | CELL_OPTIONAL },
    [KIND_ATTRIBUTES] = { "attributes", CELL_MAP },
    [KIND_OUTPUTS] = { "outputs", CELL_MAP | CELL_OPTIONAL },
};

enum {
    ATTRIBUTE_TYPE,
    ATTRIBUTE_REQUIRED,
    ATTRIBUTE_DEFAULT,
    ATTRIBUTE_NULL_MEANS,
    ATTRIBUTE_NULL_WORD,
    ATTRIBUTE_WORDS,
    ATTRIBUTE_TARGETS,
    ATTRIBUTE_LATER,
    ATTRIBUTE_INSTEAD,
    ATTRIBUTE_DOC,
    ATTRIBUTE_SOURCE,
    ATTRIBUTE_COLUMN_COUNT
};

static const Column ATTRIBUTE_COLUMNS[ATTRIBUTE_COLUMN_COUNT] = {
    [ATTRIBUTE_TYPE] = { "type", CELL_TEXT },
    [ATTRIBUTE_REQUIRED] = { "required", CELL_BOOL | CELL_OPTIONAL },
    [ATTRIBUTE_DEFAULT] = { "default", CELL_TEXT | CELL_OPTIONAL },
    [ATTRIBUTE_NULL_MEANS] = { "null_means", CELL_TEXT | CELL_OPTIONAL },
    [ATTRIBUTE_NULL_WORD] = { "null_word", CELL_TEXT | CELL_OPTIONAL },
    [ATTRIBUTE_WORDS] = { "words", CELL_MAP | CELL_OPTIONAL },
    [ATTRIBUTE_TARGETS] = { "targets", CELL_LIST },
    [ATTRIBUTE_LATER] = { "later", CELL_LIST | CELL_OPTIONAL },
    [ATTRIBUTE_INSTEAD] = { "instead", CELL_TEXT | CELL_OPTIONAL },
    [ATTRIBUTE_DOC] = { "doc", CELL_TEXT },
    [ATTRIBUTE_SOURCE] = { "source", CELL_TEXT | CELL_OPTIONAL },
};

enum { OUTPUT_TYPE, OUTPUT_EXPORT, OUTPUT_TARGETS, OUTPUT_LATER, OUTPUT_DOC, OUTPUT_COLUMN_COUNT };

static const Column OUTPUT_COLUMNS[OUTPUT_COLUMN_COUNT] = {
    [OUTPUT_TYPE] = { "type", CELL_TEXT },       [OUTPUT_EXPORT] = { "export", CELL_TEXT | CELL_OPTIONAL },
    [OUTPUT_TARGETS] = { "targets", CELL_LIST }, [OUTPUT_LATER] = { "later", CELL_LIST | CELL_OPTIONAL },
    [OUTPUT_DOC] = { "doc", CELL_TEXT },
};

static Str upper(Arena *arena, Str name) {
    StrBuf out = { .arena = arena };
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.data[i];
        strbuf_add_char(&out, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c == '-' ? '_' : c);
    }
    return strbuf_str(&out);
}

static bool is_true(const Data *cell) {
    return cell != NULL && cell->boolean;
}

static void check_null_word(Generator *generator, const Data *const *cells) {
    const Data *word = cells[ATTRIBUTE_NULL_WORD];
    if (word != NULL && cells[ATTRIBUTE_NULL_MEANS] == NULL) {
        cell_fault(generator->session, word->span, "`null_word` stands beside `null_means`, which says what it is for");
    } else if (word != NULL && (cells[ATTRIBUTE_WORDS] == NULL ||
                                data_get(cells[ATTRIBUTE_WORDS], str_c(generator->arena, word->string)) == NULL)) {
        cell_fault(generator->session, word->span, "`%.*s` is none of `words`", STR_ARG(word->string));
    }
}

// An attribute that a target has and dtc does not write leaves its author with nothing unless the row says what to do.
// Where the whole kind is later its own row says it.
static void check_instead(Generator *generator, const DataEntry *entry, const Data *instead, unsigned later) {
    if (later != 0 && instead == NULL) {
        cell_fault(generator->session, entry->key_span,
                   "`%.*s` is written later, and `instead` does not say what to do "
                   "until then",
                   STR_ARG(entry->key));
    }
}

static void put_attribute(Generator *generator, StrBuf *out, const DataEntry *entry, const TargetBits *kind) {
    const Data *cells[ATTRIBUTE_COLUMN_COUNT];
    if (!cells_read(generator->session, entry->key, entry->key_span, entry->value, NULL, ATTRIBUTE_COLUMNS,
                    ATTRIBUTE_COLUMN_COUNT, cells)) {
        return;
    }
    const bool is_required = is_true(cells[ATTRIBUTE_REQUIRED]);
    if (is_required && cells[ATTRIBUTE_DEFAULT] != NULL) {
        cell_fault(generator->session, cells[ATTRIBUTE_DEFAULT]->span, "`%.*s` is required, so it has no default",
                   STR_ARG(entry->key));
    }
    check_null_word(generator, cells);
    StrBuf targets = { .arena = generator->arena };
    TargetBits bits = put_target_sets(generator, &targets, entry->key, cells[ATTRIBUTE_TARGETS]->span,
                                      cells[ATTRIBUTE_TARGETS], cells[ATTRIBUTE_LATER], kind);
    bits.whole = "attribute";
    const int type = read_type(generator, cells[ATTRIBUTE_TYPE], cells[ATTRIBUTE_WORDS], &bits);
    put(out, "    { .name = ");
    put_string(out, entry->key);
    put(out, ", .type = &TYPE_ROW_%d, .is_required = %s, .default_text = ", type, is_required ? "true" : "false");
    put_string(out, cells[ATTRIBUTE_DEFAULT] == NULL ? STR_NONE : cells[ATTRIBUTE_DEFAULT]->string);
    put(out, ", .null_means = ");
    put_cell_string(out, cells[ATTRIBUTE_NULL_MEANS]);
    put(out, ", .null_word = ");
    put_cell_string(out, cells[ATTRIBUTE_NULL_WORD]);
    put(out, ",\n      %.*s", STR_ARG(strbuf_str(&targets)));
    put(out, ",\n      .instead = ");
    put_cell_string(out, cells[ATTRIBUTE_INSTEAD]);
    check_instead(generator, entry, cells[ATTRIBUTE_INSTEAD], bits.later & ~bits.now & kind->now);
    put(out, ",\n      .doc = ");
    put_cell_string(out, cells[ATTRIBUTE_DOC]);
    put(out, ",\n      .source = ");
    put_cell_string(out, cells[ATTRIBUTE_SOURCE]);
    put(out, " },\n");
}

static void put_output(Generator *generator, StrBuf *out, const DataEntry *entry, const TargetBits *kind) {
    const Data *cells[OUTPUT_COLUMN_COUNT];
    if (!cells_read(generator->session, entry->key, entry->key_span, entry->value, NULL, OUTPUT_COLUMNS,
                    OUTPUT_COLUMN_COUNT, cells)) {
        return;
    }
    put(out, "    { .name = ");
    put_string(out, entry->key);
    put(out, ", .type = &TYPE_ROW_%d, ", read_type(generator, cells[OUTPUT_TYPE], NULL, NULL));
    put_target_sets(generator, out, entry->key, cells[OUTPUT_TARGETS]->span, cells[OUTPUT_TARGETS], cells[OUTPUT_LATER],
                    kind);
    put(out, ",\n      .export_key = ");
    put_cell_string(out, cells[OUTPUT_EXPORT]);
    put(out, ", .doc = ");
    put_cell_string(out, cells[OUTPUT_DOC]);
    put(out, " },\n");
}

static void put_parents(Generator *generator, StrBuf *out, const Data *parents) {
    put(out, ".is_nested = %s, .parents = 0", parents != NULL ? "true" : "false");
    for (uint32_t i = 0; parents != NULL && i < parents->count; i++) {
        const Data *parent = parents->items[i];
        bool is_known = false;
        for (uint32_t j = 0; j < generator->kinds.count && parent->kind == DATA_STRING; j++) {
            is_known = is_known || str_equal(generator->kinds.items[j].name, parent->string);
        }
        if (!is_known) {
            cell_fault(generator->session, parent->span, "there is no such kind");
            continue;
        }
        put(out, " | 1u << KIND_%.*s", STR_ARG(upper(generator->arena, parent->string)));
    }
}

// The tables of one kind go to the output, its row to `rows`.
static void put_kind(Generator *generator, const NamedRow *kind, StrBuf *rows) {
    const Data *cells[KIND_COLUMN_COUNT];
    const Span span = kind->row->span;
    if (!cells_read(generator->session, kind->name, span, kind->row, NULL, KIND_COLUMNS, KIND_COLUMN_COUNT, cells)) {
        return;
    }
    if (!str_equal(cells[KIND_KIND]->string, kind->name)) {
        cell_fault(generator->session, cells[KIND_KIND]->span, "the file's name says `%.*s`", STR_ARG(kind->name));
    }
    const Str name = upper(generator->arena, kind->name);
    const Data *attributes = cells[KIND_ATTRIBUTES];
    const Data *outputs = cells[KIND_OUTPUTS];
    if (attributes->count == 0 || (outputs != NULL && outputs->count == 0)) {
        cell_fault(generator->session, attributes->span,
                   "a kind has attributes, and `outputs` only where there are any");
        return;
    }
    put(rows, "    [KIND_%.*s] = { .name = \"%.*s\", .doc = ", STR_ARG(name), STR_ARG(kind->name));
    put_cell_string(rows, cells[KIND_DOC]);
    put(rows, ",\n        ");
    TargetBits targets = put_target_sets(generator, rows, kind->name, cells[KIND_TARGETS]->span, cells[KIND_TARGETS],
                                         cells[KIND_LATER], NULL);
    targets.whole = "kind";
    put(rows, ", .instead = ");
    put_cell_string(rows, cells[KIND_INSTEAD]);
    put(rows, ", ");
    put_parents(generator, rows, cells[KIND_PARENTS]);
    put(rows, ",\n        .is_singleton = %s, .is_offable = %s", is_true(cells[KIND_SINGLETON]) ? "true" : "false",
        is_true(cells[KIND_OFFABLE]) ? "true" : "false");
    put(rows, ", .attributes = ATTRIBUTES_%.*s, .attribute_count = %" PRIu32, STR_ARG(name), attributes->count);
    if (is_true(cells[KIND_SINGLETON]) && cells[KIND_PARENTS] == NULL) {
        cell_fault(generator->session, cells[KIND_SINGLETON]->span, "only a nested kind can be a singleton");
    }

    StrBuf table = { .arena = generator->arena };
    put(&table, "static const AttributeRow ATTRIBUTES_%.*s[] = {\n", STR_ARG(name));
    put(&generator->header, "enum {\n");
    for (uint32_t i = 0; i < attributes->count; i++) {
        put_attribute(generator, &table, &attributes->entries[i], &targets);
        put(&generator->header, "    %.*s_%.*s,\n", STR_ARG(name),
            STR_ARG(upper(generator->arena, attributes->entries[i].key)));
    }
    put(&generator->header, "};\n\n");
    put(&table, "};\n");
    if (outputs != NULL) {
        put(rows, ",\n        .outputs = OUTPUTS_%.*s, .output_count = %" PRIu32, STR_ARG(name), outputs->count);
        put(&table, "static const OutputRow OUTPUTS_%.*s[] = {\n", STR_ARG(name));
        for (uint32_t i = 0; i < outputs->count; i++) {
            put_output(generator, &table, &outputs->entries[i], &targets);
        }
        put(&table, "};\n");
    }
    put(rows, " },\n");
    put(&generator->tables, "%.*s\n", STR_ARG(strbuf_str(&table)));
}

void generate_kinds(Generator *generator) {
    const Names names = list_files(generator, "kinds", ".yaml");
    put(&generator->header, "typedef enum KindId {\n");
    for (uint32_t i = 0; i < names.count; i++) {
        const Str name = names.items[i];
        const Data *row = read_table(generator, str_format(generator->arena, "kinds/%.*s.yaml", STR_ARG(name)));
        if (row != NULL) {
            vec_push(generator->arena, &generator->kinds, (NamedRow){ .name = name, .row = row });
            put(&generator->header, "    KIND_%.*s,\n", STR_ARG(upper(generator->arena, name)));
        }
    }
    put(&generator->header, "    KIND_COUNT\n} KindId;\n\n");
    StrBuf rows = { .arena = generator->arena };
    for (uint32_t i = 0; i < generator->kinds.count; i++) {
        put_kind(generator, &generator->kinds.items[i], &rows);
    }
    put(&generator->tables, "const KindRow KIND_ROWS[KIND_COUNT] = {\n%.*s};\n\n", STR_ARG(strbuf_str(&rows)));
}
