// schema/quotas.yaml -> QUOTA_ROWS. Families are kept as one text with a blank on either side of each, which is all
// that schema_quota() needs to look one up.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"

enum { COLUMN_CODE, COLUMN_MARKET, COLUMN_NAME, COLUMN_LETTERS, COLUMN_FAMILIES, COLUMN_COUNT };

static const Column COLUMNS[COLUMN_COUNT] = {
    [COLUMN_CODE] = { "code", CELL_TEXT },
    [COLUMN_MARKET] = { "market", CELL_TEXT },
    [COLUMN_NAME] = { "name", CELL_TEXT },
    [COLUMN_LETTERS] = { "letters", CELL_LIST | CELL_OPTIONAL },
    [COLUMN_FAMILIES] = { "families", CELL_LIST | CELL_OPTIONAL },
};

static const Word MARKETS[] = {
    { "on_demand", "MARKET_ON_DEMAND" },
    { "spot", "MARKET_SPOT" },
    { "block", "MARKET_BLOCK" },
};

// What the rows before have claimed: "on_demand p" and the like.
typedef struct {
    Generator *generator;
    StrMap claimed;
    Names families;
} Quotas;

static bool is_family(const Quotas *quotas, Str name) {
    for (uint32_t i = 0; i < quotas->families.count; i++) {
        if (str_equal(quotas->families.items[i], name)) {
            return true;
        }
    }
    return false;
}

static void put_words(Quotas *quotas, const char *field, const Data *list, Str market, bool are_families) {
    Generator *generator = quotas->generator;
    StrBuf text = { .arena = generator->arena };
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        const Data *item = list->items[i];
        if (item->kind != DATA_STRING || (are_families && !is_family(quotas, item->string))) {
            cell_fault(generator->session, item->span, "this is no %s", are_families ? "family of the schema" : "text");
            continue;
        }
        const Str key = str_format(generator->arena, "%.*s %.*s", STR_ARG(market), STR_ARG(item->string));
        if (str_map_get(&quotas->claimed, key) != NULL) {
            cell_fault(generator->session, item->span, "another quota of `%.*s` counts `%.*s`", STR_ARG(market),
                       STR_ARG(item->string));
        }
        str_map_add(&quotas->claimed, key, item);
        put(&text, "%s%.*s ", i == 0 ? " " : "", STR_ARG(item->string));
    }
    put(&generator->tables, ", .%s = ", field);
    put_string(&generator->tables, strbuf_str(&text));
}

static void put_row(Quotas *quotas, const Data *row, const Data *sources) {
    Generator *generator = quotas->generator;
    const Data *cells[COLUMN_COUNT];
    if (!cells_read(generator->session, STR("a quota"), row->span, row, NULL, COLUMNS, COLUMN_COUNT, cells)) {
        return;
    }
    const char *market = read_word(generator, cells[COLUMN_MARKET], "market", MARKETS, COUNT_OF(MARKETS));
    if (market == NULL) {
        return;
    }
    const Str word = cells[COLUMN_MARKET]->string;
    const Data *source = data_get(sources, str_c(generator->arena, word));
    if (source == NULL || source->kind != DATA_STRING) {
        cell_fault(generator->session, row->span, "the file's `sources` has no text for `%.*s`", STR_ARG(word));
    }
    if (cells[COLUMN_LETTERS] == NULL && cells[COLUMN_FAMILIES] == NULL) {
        cell_fault(generator->session, row->span, "a quota has `letters` or `families`");
    }
    StrBuf *out = &generator->tables;
    put(out, "    { .code = ");
    put_cell_string(out, cells[COLUMN_CODE]);
    put(out, ", .name = ");
    put_cell_string(out, cells[COLUMN_NAME]);
    put(out, ", .market = %s,\n      ", market);
    put(out, ".source = ");
    put_cell_string(out, source != NULL && source->kind == DATA_STRING ? source : NULL);
    put_words(quotas, "letters", cells[COLUMN_LETTERS], word, false);
    put_words(quotas, "families", cells[COLUMN_FAMILIES], word, true);
    put(out, " },\n");
}

void generate_quotas(Generator *generator) {
    enum { SOURCES, QUOTAS, FILE_COLUMN_COUNT };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [SOURCES] = { "sources", CELL_MAP },
        [QUOTAS] = { "quotas", CELL_LIST },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    if (!read_columns(generator, STR("quotas.yaml"), FILE_COLUMNS, FILE_COLUMN_COUNT, cells)) {
        return;
    }
    Quotas quotas = { .generator = generator,
                      .claimed = { .arena = generator->arena },
                      .families = list_files(generator, "instances", ".yaml") };
    put(&generator->tables, "const QuotaRow QUOTA_ROWS[] = {\n");
    for (uint32_t i = 0; i < cells[QUOTAS]->count; i++) {
        put_row(&quotas, cells[QUOTAS]->items[i], cells[SOURCES]);
    }
    put(&generator->tables, "};\nconst int QUOTA_ROW_COUNT = %" PRIu32 ";\n\n", cells[QUOTAS]->count);
}
