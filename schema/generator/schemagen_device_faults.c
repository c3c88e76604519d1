// schema/device_faults.yaml -> what dtc-collective holds the devices of a node against.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"

enum { CODE_MAX = 100000, TEXTS_MAX = 3 };

static void put_sxid(Generator *generator, const Data *row) {
    enum { CODE, WHAT, COUNT };
    static const Column COLUMNS[COUNT] = {
        [CODE] = { "code", CELL_INT },
        [WHAT] = { "what", CELL_TEXT },
    };
    const Data *cells[COUNT];
    if (cells_read(generator->session, STR("an error"), row->span, row, NULL, COLUMNS, COUNT, cells)) {
        put(&generator->measured, "    %" PRId64 ",\n",
            cell_int(generator->session, cells[CODE], "the code of an error", 1, CODE_MAX));
    }
}

static void put_message(Generator *generator, const Data *row, const Data *sources) {
    enum { CHECK, LEVEL, TEXTS, SOURCE, COUNT };
    static const Column COLUMNS[COUNT] = {
        [CHECK] = { "check", CELL_TEXT },
        [LEVEL] = { "level", CELL_TEXT },
        [TEXTS] = { "texts", CELL_LIST },
        [SOURCE] = { "source", CELL_TEXT },
    };
    static const char *const LEVELS[] = { "fail", "warn" };
    Session *session = generator->session;
    StrBuf *out = &generator->measured;
    const Data *cells[COUNT];
    if (!cells_read(session, STR("a message"), row->span, row, NULL, COLUMNS, COUNT, cells)) {
        return;
    }
    (void)cell_word(session, cells[LEVEL], "a level", LEVELS, COUNT_OF(LEVELS));
    if (data_get(sources, str_c(generator->arena, cells[SOURCE]->string)) == NULL) {
        cell_fault(session, cells[SOURCE]->span, "the file's `sources` has no such text");
    }
    if (cells[TEXTS]->count < 1 || cells[TEXTS]->count >= TEXTS_MAX) {
        cell_fault(session, cells[TEXTS]->span, "a message has one text or two");
        return;
    }
    put(out, "    { ");
    put_cell_string(out, cells[CHECK]);
    put(out, ", ");
    put_cell_string(out, cells[LEVEL]);
    put(out, ", {");
    for (uint32_t i = 0; i < cells[TEXTS]->count; i++) {
        put(out, i > 0 ? ", " : " ");
        put_cell_string(out, cells[TEXTS]->items[i]);
    }
    put(out, " } },\n");
}

static void put_limit(Generator *generator, const Data *row) {
    enum { NAME, MOST, COUNT };
    static const Column COLUMNS[COUNT] = {
        [NAME] = { "name", CELL_TEXT },
        [MOST] = { "most", CELL_INT },
    };
    const Data *cells[COUNT];
    if (cells_read(generator->session, STR("a limit"), row->span, row, NULL, COLUMNS, COUNT, cells)) {
        put(&generator->measured, "const uint64_t DEVICE_MOST_%.*s = %" PRId64 ";\n", STR_ARG(cells[NAME]->string),
            cell_int(generator->session, cells[MOST], "a limit", 0, CODE_MAX));
    }
}

static void put_memory(Generator *generator, const Data *row, const Data *source) {
    enum { GPU, RATE, COUNT, RATE_MAX = 1000000000 };
    static const Column COLUMNS[COUNT] = {
        [GPU] = { "gpu", CELL_TEXT },
        [RATE] = { "megabytes_per_second", CELL_INT },
    };
    const Data *cells[COUNT];
    StrBuf *out = &generator->measured;
    if (!cells_read(generator->session, STR("a measurement"), row->span, row, NULL, COLUMNS, COUNT, cells)) {
        return;
    }
    put(out, "    { ");
    put_cell_string(out, cells[GPU]);
    put(out, ", UINT64_C(%" PRId64 "), ", cell_int(generator->session, cells[RATE], "a bandwidth", 1, RATE_MAX));
    put_cell_string(out, source);
    put(out, " },\n");
}

void generate_device_faults(Generator *generator) {
    enum {
        SXIDS,
        SXIDS_SOURCE,
        SOURCES,
        MESSAGES,
        LIMITS,
        LIMITS_SOURCE,
        FLOOR,
        MEMORY,
        MEMORY_SOURCE,
        COUNT,
        PERCENT = 100
    };
    static const Column COLUMNS[COUNT] = {
        [SXIDS] = { "sxids", CELL_LIST },
        [SXIDS_SOURCE] = { "sxids_source", CELL_TEXT },
        [SOURCES] = { "sources", CELL_MAP },
        [MESSAGES] = { "messages", CELL_LIST },
        [LIMITS] = { "limits", CELL_LIST },
        [LIMITS_SOURCE] = { "limits_source", CELL_TEXT },
        [FLOOR] = { "floor_percent", CELL_INT },
        [MEMORY] = { "memory", CELL_LIST },
        [MEMORY_SOURCE] = { "memory_source", CELL_TEXT },
    };
    const Data *cells[COUNT];
    if (!read_columns(generator, STR("device_faults.yaml"), COLUMNS, COUNT, cells)) {
        return;
    }
    StrBuf *out = &generator->measured;
    put(out, "\nconst uint32_t DEVICE_SXIDS[] = {\n");
    for (uint32_t i = 0; i < cells[SXIDS]->count; i++) {
        put_sxid(generator, cells[SXIDS]->items[i]);
    }
    put(out, "};\nconst uint32_t DEVICE_SXID_COUNT = %" PRIu32 ";\n\nconst DeviceMessage DEVICE_MESSAGES[] = {\n",
        cells[SXIDS]->count);
    for (uint32_t i = 0; i < cells[MESSAGES]->count; i++) {
        put_message(generator, cells[MESSAGES]->items[i], cells[SOURCES]);
    }
    put(out, "};\nconst uint32_t DEVICE_MESSAGE_COUNT = %" PRIu32 ";\n\n", cells[MESSAGES]->count);
    for (uint32_t i = 0; i < cells[LIMITS]->count; i++) {
        put_limit(generator, cells[LIMITS]->items[i]);
    }
    put(out,
        "\nconst uint32_t DEVICE_MEMORY_FLOOR_PERCENT = %" PRId64 ";\n\nconst DeviceMemory DEVICE_MEMORIES[] = {\n",
        cell_int(generator->session, cells[FLOOR], "the part that others have to reach", 1, PERCENT));
    for (uint32_t i = 0; i < cells[MEMORY]->count; i++) {
        put_memory(generator, cells[MEMORY]->items[i], cells[MEMORY_SOURCE]);
    }
    put(out, "};\nconst uint32_t DEVICE_MEMORY_COUNT = %" PRIu32 ";\n", cells[MEMORY]->count);
}
