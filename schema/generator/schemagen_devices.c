// schema/devices.yaml -> EFA_DEVICE_ROWS and XID_ROWS, and DEVICE_XIDS of dtc-collective; schema/collectives.yaml -> COLLECTIVE_ROWS, and MEASURED_ROWS of
// dtc-collective, which shares no header with dtc but the contract.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"

// ---- devices ---------------------------------------------------------------------------------------------------

static void put_efa(Generator *generator, const Data *row) {
    enum { ID, DRIVER, COUNT };
    static const Column COLUMNS[COUNT] = {
        [ID] = { "id", CELL_TEXT },
        [DRIVER] = { "driver", CELL_TEXT | CELL_NULL },
    };
    const Data *cells[COUNT];
    if (!cells_read(generator->session, STR("a device"), row->span, row, NULL, COLUMNS, COUNT, cells)) {
        return;
    }
    StrBuf *out = &generator->tables;
    put(out, "    { .id = ");
    put_cell_string(out, cells[ID]);
    put(out, ", .driver = ");
    put_cell_string(out, cells[DRIVER]);
    put(out, " },\n");
}

static void put_xid(Generator *generator, const Data *row, int64_t *before) {
    enum { CODE, ACTION, WHAT, COUNT, XIDS_MAX = 1000 };
    static const Column COLUMNS[COUNT] = {
        [CODE] = { "code", CELL_INT },
        [ACTION] = { "action", CELL_TEXT },
        [WHAT] = { "what", CELL_TEXT },
    };
    const Data *cells[COUNT];
    if (!cells_read(generator->session, STR("an error"), row->span, row, NULL, COLUMNS, COUNT, cells)) {
        return;
    }
    static const char *const ACTIONS[] = { "reset", "reboot", "repair", "flow" };
    (void)cell_word(generator->session, cells[ACTION], "an action", ACTIONS, COUNT_OF(ACTIONS));
    const int64_t code = cell_int(generator->session, cells[CODE], "the code of an error", *before + 1, XIDS_MAX);
    *before = code;
    put(&generator->measured, "    { %" PRId64 ", ", code);
    put_cell_string(&generator->measured, cells[ACTION]);
    put(&generator->measured, " },\n");
    put(&generator->tables, "    { .code = %" PRId64 ", .action = ", code);
    put_cell_string(&generator->tables, cells[ACTION]);
    put(&generator->tables, ", .what = ");
    put_cell_string(&generator->tables, cells[WHAT]);
    put(&generator->tables, " },\n");
}

void generate_devices(Generator *generator) {
    enum { EFA, EFA_SOURCE, XIDS, XIDS_SOURCE, FILE_COLUMN_COUNT };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [EFA] = { "efa", CELL_LIST },
        [EFA_SOURCE] = { "efa_source", CELL_TEXT },
        [XIDS] = { "xids", CELL_LIST },
        [XIDS_SOURCE] = { "xids_source", CELL_TEXT },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    if (!read_columns(generator, STR("devices.yaml"), FILE_COLUMNS, FILE_COLUMN_COUNT, cells)) {
        return;
    }
    StrBuf *out = &generator->tables;
    put(out, "const EfaDeviceRow EFA_DEVICE_ROWS[] = {\n");
    for (uint32_t i = 0; i < cells[EFA]->count; i++) {
        put_efa(generator, cells[EFA]->items[i]);
    }
    put(out, "};\nconst int EFA_DEVICE_ROW_COUNT = %" PRIu32 ";\n\nconst XidRow XID_ROWS[] = {\n", cells[EFA]->count);
    put(&generator->measured, "const DeviceXid DEVICE_XIDS[] = {\n");
    int64_t before = 0;
    for (uint32_t i = 0; i < cells[XIDS]->count; i++) {
        put_xid(generator, cells[XIDS]->items[i], &before);
    }
    put(out, "};\nconst int XID_ROW_COUNT = %" PRIu32 ";\n\n", cells[XIDS]->count);
    put(&generator->measured, "};\nconst uint32_t DEVICE_XID_COUNT = %" PRIu32 ";\n\n", cells[XIDS]->count);
}

// ---- collectives -----------------------------------------------------------------------------------------------

static void put_collective(Generator *generator, const Data *row, const Data *sources) {
    enum {
        TYPE,
        INTERFACES,
        NODES,
        RANKS,
        BYTES,
        RATE,
        SOURCE,
        COUNT,
        INTERFACES_MAX = 64,
        NODES_MAX = 10000,
        RANKS_MAX = 1000000,
        RATE_MAX = 100000000
    };
    static const Column COLUMNS[COUNT] = {
        [TYPE] = { "type", CELL_TEXT },     [INTERFACES] = { "interfaces", CELL_INT },
        [NODES] = { "nodes", CELL_INT },    [RANKS] = { "ranks", CELL_INT },
        [BYTES] = { "bytes", CELL_INT },    [RATE] = { "megabytes_per_second", CELL_INT },
        [SOURCE] = { "source", CELL_TEXT },
    };
    Session *session = generator->session;
    const Data *cells[COUNT];
    if (!cells_read(session, STR("a measurement"), row->span, row, NULL, COLUMNS, COUNT, cells)) {
        return;
    }
    const Data *source = data_get(sources, str_c(generator->arena, cells[SOURCE]->string));
    if (source == NULL || source->kind != DATA_STRING) {
        cell_fault(session, cells[SOURCE]->span, "the file's `sources` has no such text");
        return;
    }
    const int64_t interfaces = cell_int(session, cells[INTERFACES], "a number of interfaces", 1, INTERFACES_MAX);
    const int64_t nodes = cell_int(session, cells[NODES], "a number of nodes", 2, NODES_MAX);
    const int64_t ranks = cell_int(session, cells[RANKS], "a number of ranks", nodes, RANKS_MAX);
    const int64_t bytes = cell_int(session, cells[BYTES], "the size of a message", 1, INT64_C(1) << 40);
    const int64_t rate = cell_int(session, cells[RATE], "a bandwidth", 1, RATE_MAX);
    StrBuf text = { .arena = generator->arena };
    put(&text, "    { .type = ");
    put_cell_string(&text, cells[TYPE]);
    put(&text,
        ", .interfaces = %" PRId64 ", .nodes = %" PRId64 ", .ranks = %" PRId64 ", .bytes = INT64_C(%" PRId64
        "), .megabytes_per_second = %" PRId64 ",\n      .source = ",
        interfaces, nodes, ranks, bytes, rate);
    put_cell_string(&text, source);
    put(&text, " },\n");
    strbuf_add(&generator->tables, strbuf_str(&text));
    strbuf_add(&generator->measured, strbuf_str(&text));
}

void generate_collectives(Generator *generator) {
    enum { SOURCES, FLOOR_PERCENT, ALL_REDUCE, FILE_COLUMN_COUNT, PERCENT_MAX = 100 };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [SOURCES] = { "sources", CELL_MAP },
        [FLOOR_PERCENT] = { "floor_percent", CELL_INT },
        [ALL_REDUCE] = { "all_reduce", CELL_LIST },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    if (!read_columns(generator, STR("collectives.yaml"), FILE_COLUMNS, FILE_COLUMN_COUNT, cells)) {
        return;
    }
    put(&generator->tables, "const CollectiveRow COLLECTIVE_ROWS[] = {\n");
    put(&generator->measured,
        "const uint32_t MEASURED_FLOOR_PERCENT = %" PRId64 ";\n\nconst Measured MEASURED_ROWS[] = {\n",
        cell_int(generator->session, cells[FLOOR_PERCENT], "the part that others have to reach", 1, PERCENT_MAX));
    for (uint32_t i = 0; i < cells[ALL_REDUCE]->count; i++) {
        put_collective(generator, cells[ALL_REDUCE]->items[i], cells[SOURCES]);
    }
    put(&generator->tables, "};\nconst int COLLECTIVE_ROW_COUNT = %" PRIu32 ";\n\n", cells[ALL_REDUCE]->count);
    put(&generator->measured, "};\nconst uint32_t MEASURED_ROW_COUNT = %" PRIu32 ";\n", cells[ALL_REDUCE]->count);
}
