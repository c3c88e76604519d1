// schema/interface_addresses.yaml -> STORED_ADDRESSES.
#include "schema/generator/schemagen.h"

static void read_row(StoredNames *limits, const Data *row) {
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
    stored_names_read(limits, cells[TYPES], (uint32_t)addresses);
}

void generate_addresses(Generator *generator) {
    enum { SOURCE, INTERFACES, FILE_COLUMN_COUNT };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [SOURCE] = { "source", CELL_TEXT },
        [INTERFACES] = { "interfaces", CELL_LIST },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    if (!read_columns(generator, STR("interface_addresses.yaml"), FILE_COLUMNS, FILE_COLUMN_COUNT, cells)) {
        return;
    }
    StoredNames limits = { .generator = generator, .what = "type", .seen = { .arena = generator->arena } };
    for (uint32_t i = 0; i < cells[INTERFACES]->count; i++) {
        read_row(&limits, cells[INTERFACES]->items[i]);
    }
    stored_names_write(&limits, "STORED_ADDRESSES", "ADDRESS");
}
