// schema/kubernetes.yaml -> KUBERNETES_ROWS. Days are texts that compare as days do.
#include "schema/schemagen.h"

#include "compiler/base/diag.h"

enum { COLUMN_VERSION, COLUMN_RELEASED, COLUMN_STANDARD_END, COLUMN_EXTENDED_END, COLUMN_COUNT };

static const Column COLUMNS[COLUMN_COUNT] = {
    [COLUMN_VERSION] = { "version", CELL_TEXT },
    [COLUMN_RELEASED] = { "released", CELL_TEXT },
    [COLUMN_STANDARD_END] = { "standard_end", CELL_TEXT },
    [COLUMN_EXTENDED_END] = { "extended_end", CELL_TEXT },
};

static bool is_before(Str a, Str b) {
    return a.len == b.len && memcmp(a.data, b.data, a.len) < 0;
}

static const char *support(const Data *const *cells, Str day) {
    if (is_before(cells[COLUMN_EXTENDED_END]->string, day)) {
        return "SUPPORT_ENDED";
    }
    return is_before(cells[COLUMN_STANDARD_END]->string, day) ? "SUPPORT_EXTENDED" : "SUPPORT_STANDARD";
}

static void put_row(Generator *generator, const Data *row, Str day) {
    const Data *cells[COLUMN_COUNT];
    if (!cells_read(generator->session, STR("a version"), row->span, row, NULL, COLUMNS, COLUMN_COUNT, cells)) {
        return;
    }
    for (int i = COLUMN_RELEASED; i < COLUMN_COUNT; i++) {
        if (cells[i]->string.len != day.len) {
            cell_fault(generator->session, cells[i]->span, "a day is written as 2026-11-21");
            return;
        }
    }
    StrBuf *out = &generator->tables;
    put(out, "    { .version = ");
    put_cell_string(out, cells[COLUMN_VERSION]);
    put(out, ", .standard_end = ");
    put_cell_string(out, cells[COLUMN_STANDARD_END]);
    put(out, ", .extended_end = ");
    put_cell_string(out, cells[COLUMN_EXTENDED_END]);
    put(out, ", .support = %s },\n", support(cells, day));
}

void generate_kubernetes(Generator *generator) {
    enum { SOURCE, AS_OF, VERSIONS, FILE_COLUMN_COUNT };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [SOURCE] = { "source", CELL_TEXT },
        [AS_OF] = { "as_of", CELL_TEXT },
        [VERSIONS] = { "versions", CELL_LIST },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    const Data *file = read_table(generator, STR("kubernetes.yaml"));
    if (file == NULL || !cells_read(generator->session, STR("the file"), file->span, file, NULL, FILE_COLUMNS,
                                    FILE_COLUMN_COUNT, cells)) {
        return;
    }
    put(&generator->tables, "const KubernetesRow KUBERNETES_ROWS[] = {\n");
    for (uint32_t i = 0; i < cells[VERSIONS]->count; i++) {
        put_row(generator, cells[VERSIONS]->items[i], cells[AS_OF]->string);
    }
    put(&generator->tables, "};\nconst int KUBERNETES_ROW_COUNT = %" PRIu32 ";\n\n", cells[VERSIONS]->count);
}
