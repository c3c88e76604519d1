// schema/interface_addresses.yaml -> STORED_ADDRESSES: names of types sorted for a binary search, as offsets into one
// text.
#include "schema/schemagen.h"

#include "compiler/base/diag.h"

typedef struct {
    Str name;
    int64_t addresses;
} Limit;

typedef struct {
    Generator *generator;
    VEC(Limit) rows;
    StrMap seen;
} Limits;

static int compare_limits(const void *a, const void *b) {
    return str_compare(((const Limit *)a)->name, ((const Limit *)b)->name);
}

static void read_row(Limits *limits, const Data *row) {
    enum { ADDRESSES, TYPES, COLUMN_COUNT, ADDRESSES_MAX = 256 };
    static const Column COLUMNS[COLUMN_COUNT] = {
        [ADDRESSES] = { "addresses", CELL_INT },
        [TYPES] = { "types", CELL_LIST },
    };
    Generator *generator = limits->generator;
    const Data *cells[COLUMN_COUNT];
    if (!cells_read(generator->session, STR("a row"), row->span, row, NULL, COLUMNS, COLUMN_COUNT, cells)) {
        return;
    }
    const int64_t addresses = cell_int(generator->session, cells[ADDRESSES], "addresses", 1, ADDRESSES_MAX);
    for (uint32_t i = 0; i < cells[TYPES]->count; i++) {
        const Data *item = cells[TYPES]->items[i];
        if (item->kind != DATA_STRING || item->string.len == 0) {
            cell_fault(generator->session, item->span, "this is no name of a type");
        } else if (str_map_add(&limits->seen, item->string, (void *)item) != NULL) {
            cell_fault(generator->session, item->span, "the type `%.*s` is there twice", STR_ARG(item->string));
        } else {
            vec_push(generator->arena, &limits->rows, ((Limit){ .name = item->string, .addresses = addresses }));
        }
    }
}

static void write_rows(Limits *limits) {
    StrBuf *out = &limits->generator->tables;
    StrBuf rows = { .arena = limits->generator->arena };
    size_t start = 0;
    put(out, "const char ADDRESS_TEXTS[] = \"\"\n");
    for (uint32_t i = 0; i < limits->rows.count; i++) {
        const Limit *row = &limits->rows.items[i];
        put(out, "    \"%.*s\\0\"\n", STR_ARG(row->name));
        put(&rows, "    { %zu, %" PRId64 " },\n", start, row->addresses);
        start += row->name.len + 1;
    }
    put(out, ";\n\nconst StoredAddresses STORED_ADDRESSES[] = {\n");
    strbuf_add(out, strbuf_str(&rows));
    put(out, "};\nconst int ADDRESS_ROW_COUNT = %" PRIu32 ";\n\n", limits->rows.count);
}

void generate_addresses(Generator *generator) {
    enum { SOURCE, INTERFACES, FILE_COLUMN_COUNT };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [SOURCE] = { "source", CELL_TEXT },
        [INTERFACES] = { "interfaces", CELL_LIST },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    const Data *file = read_table(generator, STR("interface_addresses.yaml"));
    if (file == NULL || !cells_read(generator->session, STR("the file"), file->span, file, NULL, FILE_COLUMNS,
                                    FILE_COLUMN_COUNT, cells)) {
        return;
    }
    Limits limits = { .generator = generator, .seen = { .arena = generator->arena } };
    for (uint32_t i = 0; i < cells[INTERFACES]->count; i++) {
        read_row(&limits, cells[INTERFACES]->items[i]);
    }
    if (limits.rows.count > 1) {
        qsort(limits.rows.items, limits.rows.count, sizeof(limits.rows.items[0]), compare_limits);
    }
    write_rows(&limits);
}
