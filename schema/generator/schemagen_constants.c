// schema/constants.yaml -> CONSTANT_ROWS and the enumerators of ConstantId.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"

enum { COLUMN_VALUE, COLUMN_UNIT, COLUMN_DOC, COLUMN_SOURCE, COLUMN_COUNT };

static const Column COLUMNS[COLUMN_COUNT] = {
    [COLUMN_VALUE] = { "value", CELL_INT },
    [COLUMN_UNIT] = { "unit", CELL_TEXT },
    [COLUMN_DOC] = { "doc", CELL_TEXT },
    [COLUMN_SOURCE] = { "source", CELL_TEXT },
};

static void put_row(Generator *generator, const DataEntry *entry) {
    const Data *cells[COLUMN_COUNT];
    if (!cells_read(generator->session, entry->key, entry->key_span, entry->value, NULL, COLUMNS, COLUMN_COUNT,
                    cells)) {
        return;
    }
    StrBuf enumerator = { .arena = generator->arena };
    for (size_t i = 0; i < entry->key.len; i++) {
        const char c = entry->key.data[i];
        const bool is_lower = c >= 'a' && c <= 'z';
        if (!is_lower && c != '_' && (c < '0' || c > '9')) {
            cell_fault(generator->session, entry->key_span, "a constant's name has lower-case letters, digits and `_`");
            return;
        }
        strbuf_add_char(&enumerator, is_lower ? (char)(c - 'a' + 'A') : c);
    }
    put(&generator->header, "    CONSTANT_%.*s,\n", STR_ARG(strbuf_str(&enumerator)));
    StrBuf *out = &generator->tables;
    put(out, "    [CONSTANT_%.*s] = { .name = \"%.*s\", .value = INT64_C(%" PRId64 "), .unit = ",
        STR_ARG(strbuf_str(&enumerator)), STR_ARG(entry->key), cells[COLUMN_VALUE]->integer);
    put_cell_string(out, cells[COLUMN_UNIT]);
    put(out, ",\n      .doc = ");
    put_cell_string(out, cells[COLUMN_DOC]);
    put(out, ",\n      .source = ");
    put_cell_string(out, cells[COLUMN_SOURCE]);
    put(out, " },\n");
}

void generate_constants(Generator *generator) {
    const Data *file = read_table(generator, STR("constants.yaml"));
    if (file == NULL) {
        return;
    }
    put(&generator->header, "typedef enum ConstantId {\n");
    put(&generator->tables, "const ConstantRow CONSTANT_ROWS[CONSTANT_COUNT] = {\n");
    for (uint32_t i = 0; i < file->count; i++) {
        put_row(generator, &file->entries[i]);
    }
    put(&generator->header, "    CONSTANT_COUNT\n} ConstantId;\n");
    put(&generator->tables, "};\n");
}
