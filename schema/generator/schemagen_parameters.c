// schema/parameters.yaml -> PARAMETER_ROWS and MISTAKEN_ROWS.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"

enum { COLUMN_PATH, COLUMN_ARCHITECTURE, COLUMN_DRIVERS, COLUMN_SOURCE, COLUMN_NOTE, COLUMN_COUNT };

static const Column COLUMNS[COLUMN_COUNT] = {
    [COLUMN_PATH] = { "path", CELL_TEXT },
    [COLUMN_ARCHITECTURE] = { "architecture", CELL_TEXT | CELL_NULL },
    [COLUMN_DRIVERS] = { "drivers", CELL_TEXT | CELL_NULL },
    [COLUMN_SOURCE] = { "source", CELL_TEXT },
    [COLUMN_NOTE] = { "note", CELL_TEXT | CELL_OPTIONAL },
};

static uint32_t count_of(Str text, char c) {
    uint32_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += text.data[i] == c;
    }
    return count;
}

// A row behind another one of the same path would never be looked at.
static void check_duplicates(Generator *generator, const Data *rows, uint32_t i) {
    const Data *path = data_get(rows->items[i], "path");
    for (uint32_t j = 0; j < i; j++) {
        const Data *other = data_get(rows->items[j], "path");
        if (other != NULL && other->kind == DATA_STRING && str_equal(other->string, path->string)) {
            cell_fault(generator->session, path->span, "this path is there already");
        }
    }
}

static void put_row(Generator *generator, const Data *rows, uint32_t i, const Data *sources) {
    const Data *cells[COLUMN_COUNT];
    if (!cells_read(generator->session, STR("a parameter"), rows->items[i]->span, rows->items[i], NULL, COLUMNS,
                    COLUMN_COUNT, cells)) {
        return;
    }
    check_duplicates(generator, rows, i);
    const Data *source = data_get(sources, str_c(generator->arena, cells[COLUMN_SOURCE]->string));
    if (source == NULL || source->kind != DATA_STRING) {
        cell_fault(generator->session, cells[COLUMN_SOURCE]->span, "the file's `sources` has no text for it");
        return;
    }
    const char *architecture = "ARCHITECTURE_UNKNOWN";
    if (cells[COLUMN_ARCHITECTURE]->kind != DATA_NULL) {
        architecture = read_architecture(generator, cells[COLUMN_ARCHITECTURE]);
    }
    const char *drivers = "UNKNOWN";
    if (cells[COLUMN_DRIVERS]->kind != DATA_NULL) {
        drivers = read_accelerator(generator, cells[COLUMN_DRIVERS], "drivers");
    }
    if (architecture == NULL || drivers == NULL) {
        return;
    }
    StrBuf *out = &generator->tables;
    put(out, "    { .path = ");
    put_cell_string(out, cells[COLUMN_PATH]);
    put(out, ",\n      .architecture = %s, .drivers = %s,\n      .source = ", architecture, drivers);
    put_cell_string(out, source);
    put(out, ", .note = ");
    put_cell_string(out, cells[COLUMN_NOTE]);
    put(out, " },\n");
}

static void put_mistaken(Generator *generator, const Data *row) {
    enum { PATH, INSTEAD, MISTAKEN_COLUMN_COUNT };
    static const Column MISTAKEN_COLUMNS[MISTAKEN_COLUMN_COUNT] = {
        [PATH] = { "path", CELL_TEXT },
        [INSTEAD] = { "instead", CELL_TEXT },
    };
    const Data *cells[MISTAKEN_COLUMN_COUNT];
    if (!cells_read(generator->session, STR("a mistaken path"), row->span, row, NULL, MISTAKEN_COLUMNS,
                    MISTAKEN_COLUMN_COUNT, cells)) {
        return;
    }
    if (count_of(cells[PATH]->string, '*') != count_of(cells[INSTEAD]->string, '*')) {
        cell_fault(generator->session, cells[INSTEAD]->span, "not as many `*` as in `path`");
    }
    StrBuf *out = &generator->tables;
    put(out, "    { .path = ");
    put_cell_string(out, cells[PATH]);
    put(out, ",\n      .instead = ");
    put_cell_string(out, cells[INSTEAD]);
    put(out, " },\n");
}

void generate_parameters(Generator *generator) {
    enum { SOURCES, PARAMETERS, MISTAKEN, FILE_COLUMN_COUNT };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [SOURCES] = { "sources", CELL_MAP },
        [PARAMETERS] = { "parameters", CELL_LIST },
        [MISTAKEN] = { "mistaken", CELL_LIST },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    if (!read_columns(generator, STR("parameters.yaml"), FILE_COLUMNS, FILE_COLUMN_COUNT, cells)) {
        return;
    }
    put(&generator->tables, "const ParameterRow PARAMETER_ROWS[] = {\n");
    for (uint32_t i = 0; i < cells[PARAMETERS]->count; i++) {
        put_row(generator, cells[PARAMETERS], i, cells[SOURCES]);
    }
    put(&generator->tables, "};\nconst int PARAMETER_ROW_COUNT = %" PRIu32 ";\n\n", cells[PARAMETERS]->count);
    put(&generator->tables, "const MistakenRow MISTAKEN_ROWS[] = {\n");
    for (uint32_t i = 0; i < cells[MISTAKEN]->count; i++) {
        put_mistaken(generator, cells[MISTAKEN]->items[i]);
    }
    put(&generator->tables, "};\nconst int MISTAKEN_ROW_COUNT = %" PRIu32 ";\n\n", cells[MISTAKEN]->count);
}
