// schema/policies.yaml -> POLICY_PATHS and STORED_POLICIES.
#include "schema/generator/schemagen.h"

static void read_paths(StoredNames *policies, const Data *paths) {
    enum { PATH, ATTACHABLE, NAMES, COLUMN_COUNT };
    static const Column COLUMNS[COLUMN_COUNT] = {
        [PATH] = { "path", CELL_TEXT },
        [ATTACHABLE] = { "attachable", CELL_BOOL | CELL_NULL },
        [NAMES] = { "names", CELL_LIST },
    };
    Generator *generator = policies->generator;
    put(&generator->tables, "const PolicyPath POLICY_PATHS[] = {\n");
    for (uint32_t i = 0; i < paths->count; i++) {
        const Data *row = paths->items[i];
        const Data *cells[COLUMN_COUNT];
        if (!cells_read(generator->session, STR("a path"), row->span, row, NULL, COLUMNS, COLUMN_COUNT, cells)) {
            continue;
        }
        put(&generator->tables, "    { .path = ");
        put_cell_string(&generator->tables, cells[PATH]);
        put(&generator->tables, ", .attachable = ");
        put_truth(&generator->tables, cells[ATTACHABLE]);
        put(&generator->tables, " },\n");
        stored_names_read(policies, cells[NAMES], i);
    }
    put(&generator->tables, "};\n\n");
}

void generate_policies(Generator *generator) {
    enum { SOURCE, PATHS, FILE_COLUMN_COUNT };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [SOURCE] = { "source", CELL_TEXT },
        [PATHS] = { "paths", CELL_LIST },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    if (!read_columns(generator, STR("policies.yaml"), FILE_COLUMNS, FILE_COLUMN_COUNT, cells)) {
        return;
    }
    StoredNames policies = { .generator = generator, .what = "policy", .seen = { .arena = generator->arena } };
    read_paths(&policies, cells[PATHS]);
    stored_names_write(&policies, "STORED_POLICIES", "POLICY");
}
