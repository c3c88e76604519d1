// schema/plugins.yaml -> PLUGIN_ROWS, and REGISTRY_ROWS with REGISTRY_ELSEWHERE.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"

enum {
    COLUMN_ADDON,
    COLUMN_TITLE,
    COLUMN_VERSION,
    COLUMN_RESOURCE,
    COLUMN_TAINT,
    COLUMN_EKSCTL,
    COLUMN_SOURCE,
    COLUMN_COUNT
};

static const Column COLUMNS[COLUMN_COUNT] = {
    [COLUMN_ADDON] = { "addon", CELL_TEXT },     [COLUMN_TITLE] = { "title", CELL_TEXT },
    [COLUMN_VERSION] = { "version", CELL_TEXT }, [COLUMN_RESOURCE] = { "resource", CELL_TEXT },
    [COLUMN_TAINT] = { "taint", CELL_TEXT },     [COLUMN_EKSCTL] = { "eksctl", CELL_MAP },
    [COLUMN_SOURCE] = { "source", CELL_TEXT },
};

// Names, ended by a NULL; NULL for null.
static void put_names(Generator *generator, const char *field, const Data *cell) {
    StrBuf *out = &generator->tables;
    if (cell->kind == DATA_NULL) {
        put(out, ", .%s = NULL", field);
        return;
    }
    put(out, ", .%s = (const char *const[]){ ", field);
    for (uint32_t i = 0; i < cell->count; i++) {
        if (cell->items[i]->kind != DATA_STRING) {
            cell_fault(generator->session, cell->items[i]->span, "a name is a text");
            continue;
        }
        put_string(out, cell->items[i]->string);
        put(out, ", ");
    }
    put(out, "NULL }");
}

static void put_plugin(Generator *generator, const Data *row, const Data *sources) {
    enum { VERSION, FAMILIES, LACKS, EKSCTL_COLUMN_COUNT };
    static const Column EKSCTL_COLUMNS[EKSCTL_COLUMN_COUNT] = {
        [VERSION] = { "version", CELL_TEXT },
        [FAMILIES] = { "families", CELL_LIST | CELL_NULL },
        [LACKS] = { "lacks", CELL_LIST },
    };
    const Data *cells[COLUMN_COUNT];
    const Data *eksctl[EKSCTL_COLUMN_COUNT];
    if (!cells_read(generator->session, STR("a plugin"), row->span, row, NULL, COLUMNS, COLUMN_COUNT, cells) ||
        !cells_read(generator->session, STR("`eksctl`"), cells[COLUMN_EKSCTL]->span, cells[COLUMN_EKSCTL], NULL,
                    EKSCTL_COLUMNS, EKSCTL_COLUMN_COUNT, eksctl)) {
        return;
    }
    if (data_get(sources, str_c(generator->arena, cells[COLUMN_SOURCE]->string)) == NULL) {
        cell_fault(generator->session, cells[COLUMN_SOURCE]->span, "the file's `sources` has no text for it");
    }
    StrBuf *out = &generator->tables;
    put(out, "    { .addon = ");
    put_cell_string(out, cells[COLUMN_ADDON]);
    put(out, ", .title = ");
    put_cell_string(out, cells[COLUMN_TITLE]);
    put(out, ", .version = ");
    put_cell_string(out, cells[COLUMN_VERSION]);
    put(out, ", .resource = ");
    put_cell_string(out, cells[COLUMN_RESOURCE]);
    put(out, ", .taint = ");
    put_cell_string(out, cells[COLUMN_TAINT]);
    put(out, ", .eksctl_version = ");
    put_cell_string(out, eksctl[VERSION]);
    put_names(generator, "eksctl_families", eksctl[FAMILIES]);
    put_names(generator, "eksctl_lacks", eksctl[LACKS]);
    put(out, " },\n");
}

static bool is_region(const Generator *generator, Str name) {
    for (uint32_t i = 0; i < generator->regions.count; i++) {
        if (str_equal(generator->regions.items[i], name)) {
            return true;
        }
    }
    return false;
}

// The first is the one of all regions that are not named.
static void put_registries(Generator *generator, const Data *registries) {
    enum { ACCOUNT_LENGTH = 12 };
    StrBuf *out = &generator->tables;
    for (uint32_t i = 0; i < registries->count; i++) {
        const DataEntry *entry = &registries->entries[i];
        const bool is_elsewhere = str_is(entry->key, "elsewhere");
        if (is_elsewhere != (i == 0) || (!is_elsewhere && !is_region(generator, entry->key))) {
            cell_fault(generator->session, entry->key_span,
                       i == 0 ? "`elsewhere` is the first registry" : "there is no such region");
        }
        if (entry->value->kind != DATA_STRING || entry->value->string.len != ACCOUNT_LENGTH) {
            cell_fault(generator->session, entry->value->span, "an account is a text of %d digits", ACCOUNT_LENGTH);
            continue;
        }
        put(out, "    { .region = ");
        put_string(out, is_elsewhere ? STR_NONE : entry->key);
        put(out, ", .account = ");
        put_string(out, entry->value->string);
        put(out, " },\n");
    }
}

void generate_plugins(Generator *generator) {
    enum { SOURCES, PLUGINS, REGISTRIES, FILE_COLUMN_COUNT };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [SOURCES] = { "sources", CELL_MAP },
        [PLUGINS] = { "plugins", CELL_LIST },
        [REGISTRIES] = { "registries", CELL_MAP },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    if (!read_columns(generator, STR("plugins.yaml"), FILE_COLUMNS, FILE_COLUMN_COUNT, cells)) {
        return;
    }
    put(&generator->tables, "const PluginRow PLUGIN_ROWS[] = {\n");
    for (uint32_t i = 0; i < cells[PLUGINS]->count; i++) {
        put_plugin(generator, cells[PLUGINS]->items[i], cells[SOURCES]);
    }
    put(&generator->tables, "};\nconst int PLUGIN_ROW_COUNT = %" PRIu32 ";\n\n", cells[PLUGINS]->count);
    put(&generator->tables, "const RegistryRow REGISTRY_ROWS[] = {\n");
    put_registries(generator, cells[REGISTRIES]);
    put(&generator->tables, "};\nconst int REGISTRY_ROW_COUNT = %" PRIu32 ";\n\n", cells[REGISTRIES]->count);
}
