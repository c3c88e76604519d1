// schema/regions.yaml -> REGION_ROWS, and the regions that offer each instance type, for generate_instances().
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"

enum { REGIONS_MAX = 64 }; // they are bits of a word; 47 today

enum {
    COLUMN_SOURCES,
    COLUMN_PARTITIONS,
    COLUMN_REGIONS,
    COLUMN_PARALLELCLUSTER,
    COLUMN_PCS,
    COLUMN_WITHOUT_EKS,
    COLUMN_OFFERS,
    COLUMN_COUNT
};

static const Column COLUMNS[COLUMN_COUNT] = {
    [COLUMN_SOURCES] = { "sources", CELL_MAP }, [COLUMN_PARTITIONS] = { "partitions", CELL_MAP },
    [COLUMN_REGIONS] = { "regions", CELL_MAP }, [COLUMN_PARALLELCLUSTER] = { "parallelcluster", CELL_LIST },
    [COLUMN_PCS] = { "pcs", CELL_LIST },        [COLUMN_WITHOUT_EKS] = { "without_eks", CELL_MAP },
    [COLUMN_OFFERS] = { "offers", CELL_MAP },
};

static int region_number(const Generator *generator, Str name) {
    for (uint32_t i = 0; i < generator->regions.count; i++) {
        if (str_equal(generator->regions.items[i], name)) {
            return (int)i;
        }
    }
    return -1;
}

// Returns every region that some type is offered in.
static uint64_t read_offers(Generator *generator, const Data *offers) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < offers->count; i++) {
        const DataEntry *entry = &offers->entries[i];
        Offer *offer = arena_new(generator->arena, Offer);
        *offer = (Offer){ .span = entry->key_span };
        if (entry->value->kind != DATA_LIST || entry->value->count == 0) {
            cell_fault(generator->session, entry->value->span, "`%.*s` has a list of regions", STR_ARG(entry->key));
            continue;
        }
        for (uint32_t j = 0; j < entry->value->count; j++) {
            const Data *region = entry->value->items[j];
            const int number = region->kind == DATA_STRING ? region_number(generator, region->string) : -1;
            const uint64_t bit = number < 0 ? 0 : UINT64_C(1) << number;
            if (number < 0 || (offer->regions & bit) != 0) {
                cell_fault(generator->session, region->span,
                           number < 0 ? "there is no such region" : "the region is there twice");
            }
            offer->regions |= bit;
        }
        all |= offer->regions;
        str_map_add(&generator->offers, entry->key, offer);
    }
    return all;
}

static void put_numbers(Generator *generator, const char *field, const Data *numbers) {
    StrBuf *out = &generator->tables;
    put(out, ", .%s = \"", field);
    for (uint32_t i = 0; i < numbers->count; i++) {
        put(out, "%s%" PRId64, i == 0 ? "" : " ",
            cell_int(generator->session, numbers->items[i], "the number of a zone", 1, 99));
    }
    put(out, "\"");
}

// In a region without a row, EKS can be in all zones.
static void put_without_eks(Generator *generator, const Data *row) {
    enum { IDS, LETTERS, EKS_COLUMN_COUNT };
    static const Column EKS_COLUMNS[EKS_COLUMN_COUNT] = {
        [IDS] = { "ids", CELL_LIST },
        [LETTERS] = { "letters", CELL_TEXT | CELL_NULL },
    };
    const Data *cells[EKS_COLUMN_COUNT];
    if (row == NULL || !cells_read(generator->session, STR("a region without EKS"), row->span, row, NULL, EKS_COLUMNS,
                                   EKS_COLUMN_COUNT, cells)) {
        return;
    }
    put_numbers(generator, "without_eks_ids", cells[IDS]);
    put(&generator->tables, ", .without_eks_letters = ");
    put_cell_string(&generator->tables, cells[LETTERS]);
}

static bool is_listed(const Data *list, Str name) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i]->kind == DATA_STRING && str_equal(list->items[i]->string, name)) {
            return true;
        }
    }
    return false;
}

static void check_list(Generator *generator, const Data *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i]->kind != DATA_STRING || region_number(generator, list->items[i]->string) < 0) {
            cell_fault(generator->session, list->items[i]->span, "there is no such region");
        }
    }
}

static void check_map(Generator *generator, const Data *map) {
    for (uint32_t i = 0; i < map->count; i++) {
        if (region_number(generator, map->entries[i].key) < 0) {
            cell_fault(generator->session, map->entries[i].key_span, "there is no such region");
        }
    }
}

static void put_zone_ids(Generator *generator, const Data *cell) {
    enum { PREFIX, NUMBERS, ID_COLUMN_COUNT };
    static const Column ID_COLUMNS[ID_COLUMN_COUNT] = {
        [PREFIX] = { "prefix", CELL_TEXT },
        [NUMBERS] = { "numbers", CELL_LIST },
    };
    const Data *cells[ID_COLUMN_COUNT];
    if (cell->kind == DATA_NULL ||
        !cells_read(generator->session, STR("`ids`"), cell->span, cell, NULL, ID_COLUMNS, ID_COLUMN_COUNT, cells)) {
        return;
    }
    put(&generator->tables, ", .zone_id = ");
    put_cell_string(&generator->tables, cells[PREFIX]);
    put_numbers(generator, "zone_ids", cells[NUMBERS]);
}

static void put_region(Generator *generator, const DataEntry *entry, const Data *const *file, bool has_offers) {
    enum { PARTITION, ZONES, IDS, REGION_COLUMN_COUNT };
    static const Column REGION_COLUMNS[REGION_COLUMN_COUNT] = {
        [PARTITION] = { "partition", CELL_TEXT },
        [ZONES] = { "zones", CELL_TEXT | CELL_NULL },
        [IDS] = { "ids", CELL_MAP | CELL_NULL },
    };
    const Data *cells[REGION_COLUMN_COUNT];
    if (!cells_read(generator->session, entry->key, entry->key_span, entry->value, NULL, REGION_COLUMNS,
                    REGION_COLUMN_COUNT, cells)) {
        return;
    }
    const Data *suffix = data_get(file[COLUMN_PARTITIONS], str_c(generator->arena, cells[PARTITION]->string));
    if (suffix == NULL || suffix->kind != DATA_STRING) {
        cell_fault(generator->session, cells[PARTITION]->span, "there is no such partition");
        return;
    }
    StrBuf *out = &generator->tables;
    put(out, "    { .name = \"%.*s\", .partition = ", STR_ARG(entry->key));
    put_cell_string(out, cells[PARTITION]);
    put(out, ", .url_suffix = ");
    put_cell_string(out, suffix);
    put(out, ", .zones = ");
    put_cell_string(out, cells[ZONES]);
    put_zone_ids(generator, cells[IDS]);
    put_without_eks(generator, data_get(file[COLUMN_WITHOUT_EKS], str_c(generator->arena, entry->key)));
    put(out, ", .has_offers = %s", has_offers ? "true" : "false");
    put(out, ", .has_parallelcluster = %s", is_listed(file[COLUMN_PARALLELCLUSTER], entry->key) ? "true" : "false");
    put(out, ", .has_pcs = %s },\n", is_listed(file[COLUMN_PCS], entry->key) ? "true" : "false");
}

void generate_regions(Generator *generator) {
    const Data *cells[COLUMN_COUNT];
    if (!read_columns(generator, STR("regions.yaml"), COLUMNS, COLUMN_COUNT, cells)) {
        return;
    }
    const Data *regions = cells[COLUMN_REGIONS];
    for (uint32_t i = 0; i < regions->count; i++) {
        const Str name = regions->entries[i].key;
        if (i >= REGIONS_MAX || (i > 0 && str_compare(regions->entries[i - 1].key, name) >= 0)) {
            cell_fault(generator->session, regions->entries[i].key_span, "regions are sorted by name, and at most %d",
                       REGIONS_MAX);
            return;
        }
        vec_push(generator->arena, &generator->regions, name);
    }
    check_list(generator, cells[COLUMN_PARALLELCLUSTER]);
    check_list(generator, cells[COLUMN_PCS]);
    check_map(generator, cells[COLUMN_WITHOUT_EKS]);
    const uint64_t spoken_of = read_offers(generator, cells[COLUMN_OFFERS]);
    put(&generator->tables, "const RegionRow REGION_ROWS[] = {\n");
    for (uint32_t i = 0; i < regions->count; i++) {
        put_region(generator, &regions->entries[i], cells, (spoken_of >> i & 1) != 0);
    }
    put(&generator->tables, "};\nconst int REGION_ROW_COUNT = %" PRIu32 ";\n\n", regions->count);
}
