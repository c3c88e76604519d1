// schema/policies.yaml -> STORED_POLICIES: names sorted for a binary search, as offsets into one text, so that a program
// that starts has nothing to relocate.
#include "schema/schemagen.h"

#include "compiler/base/diag.h"

typedef struct {
    Str name;
    uint32_t path;
} Policy;

typedef struct {
    Generator *generator;
    VEC(Policy) rows;
    StrMap seen;
} Policies;

static int compare_policies(const void *a, const void *b) {
    return str_compare(((const Policy *)a)->name, ((const Policy *)b)->name);
}

static void read_names(Policies *policies, const Data *names, uint32_t path) {
    Generator *generator = policies->generator;
    for (uint32_t i = 0; i < names->count; i++) {
        const Data *item = names->items[i];
        if (item->kind != DATA_STRING || item->string.len == 0) {
            cell_fault(generator->session, item->span, "this is no name of a policy");
        } else if (str_map_add(&policies->seen, item->string, (void *)item) != NULL) {
            cell_fault(generator->session, item->span, "the policy `%.*s` is there twice", STR_ARG(item->string));
        } else {
            vec_push(generator->arena, &policies->rows, ((Policy){ .name = item->string, .path = path }));
        }
    }
}

static void read_paths(Policies *policies, const Data *paths) {
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
        read_names(policies, cells[NAMES], i);
    }
    put(&generator->tables, "};\n\n");
}

static void write_names(Policies *policies) {
    StrBuf *out = &policies->generator->tables;
    StrBuf rows = { .arena = policies->generator->arena };
    size_t start = 0;
    put(out, "const char POLICY_TEXTS[] = \"\"\n");
    for (uint32_t i = 0; i < policies->rows.count; i++) {
        const Policy *row = &policies->rows.items[i];
        put(out, "    \"%.*s\\0\"\n", STR_ARG(row->name));
        put(&rows, "    { %zu, %" PRIu32 " },\n", start, row->path);
        start += row->name.len + 1;
    }
    put(out, ";\n\nconst StoredPolicy STORED_POLICIES[] = {\n");
    strbuf_add(out, strbuf_str(&rows));
    put(out, "};\nconst int POLICY_ROW_COUNT = %" PRIu32 ";\n\n", policies->rows.count);
}

void generate_policies(Generator *generator) {
    enum { SOURCE, PATHS, FILE_COLUMN_COUNT };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [SOURCE] = { "source", CELL_TEXT },
        [PATHS] = { "paths", CELL_LIST },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    const Data *file = read_table(generator, STR("policies.yaml"));
    if (file == NULL || !cells_read(generator->session, STR("the file"), file->span, file, NULL, FILE_COLUMNS,
                                    FILE_COLUMN_COUNT, cells)) {
        return;
    }
    Policies policies = { .generator = generator, .seen = { .arena = generator->arena } };
    read_paths(&policies, cells[PATHS]);
    if (policies.rows.count > 1) {
        qsort(policies.rows.items, policies.rows.count, sizeof(policies.rows.items[0]), compare_policies);
    }
    write_names(&policies);
}
