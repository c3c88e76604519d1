// Compares zones of regions, and the accelerated types that they offer, with regions.yaml. Accounts see different
// zones, and AWS does not show every type to every account. So a dump only adds rows; what it lacks contradicts
// nothing.
#include "schema/refresh/refresh_table.h"

#include <dirent.h>

enum { ZONES_MAX = 26 };

// One region while dumps are read.
typedef struct {
    Str name;
    const DataEntry *row; // NULL: it is new
    unsigned letters;     // bit 0: `a`
    unsigned ids;         // bit 1: number 1
    Str prefix;           // of its zone ids
    bool is_said;         // by a dump of zones
} Region;

typedef struct {
    Refresh *refresh;
    Table table;
    VEC(Region) regions; // in the order of the rows, new ones in their places
    StrMap offers;       // instance type -> Offered
    VEC(Str) types;      // those that a dump offers, each once
} Regions;

typedef struct {
    Texts regions;
} Offered;

static void fault(const Regions *regions, const Data *at, const char *what) {
    cell_fault(regions->refresh->session, at->span, "%s", what);
}

static Region *find_region(Regions *regions, Str name) {
    for (uint32_t i = 0; i < regions->regions.count; i++) {
        if (str_equal(regions->regions.items[i].name, name)) {
            return &regions->regions.items[i];
        }
    }
    return NULL;
}

// Its row, or a new one where it belongs.
static Region *region_of(Regions *regions, Str name) {
    Region *known = find_region(regions, name);
    if (known != NULL) {
        return known;
    }
    vec_push(regions->refresh->arena, &regions->regions, (Region){ .name = name });
    uint32_t place = regions->regions.count - 1;
    for (; place > 0 && str_compare(regions->regions.items[place - 1].name, name) > 0; place--) {
        regions->regions.items[place] = regions->regions.items[place - 1];
    }
    regions->regions.items[place] = (Region){ .name = name };
    return &regions->regions.items[place];
}

// ---- zones -----------------------------------------------------------------------------------------------------

// "use1-az4": its prefix and number. False where it is no id of a zone.
static bool read_id(Str id, Str *prefix, int *number) {
    size_t offset = str_find(id, STR("-az"), 0);
    *prefix = str_slice(id, 0, offset);
    offset += 3;
    *number = offset < id.len ? read_digits(id, &offset) : -1;
    return prefix->len > 0 && *number > 0 && *number < ZONES_MAX && offset == id.len;
}

// `id` is what `holder` says of a zone of the region; NULL where it says none, which is reported.
static void add_id(Regions *regions, Region *region, const Data *id, const Data *holder) {
    Str prefix;
    int number;
    if (id == NULL || id->kind != DATA_STRING || !read_id(id->string, &prefix, &number) || !is_word(prefix)) {
        fault(regions, id == NULL ? holder : id, "a zone's id is a text such as \"use1-az4\"");
        return;
    }
    if (region->ids != 0 && !str_equal(region->prefix, prefix)) {
        cell_fault(regions->refresh->session, id->span,
                   "ids of zones of `%.*s` begin with `%.*s`, this one with `%.*s`", STR_ARG(region->name),
                   STR_ARG(region->prefix), STR_ARG(prefix));
        return;
    }
    region->prefix = prefix;
    region->ids |= 1u << number;
    region->is_said = true;
}

static void read_zone(Regions *regions, const Data *zone) {
    const Str type = data_text(zone, "ZoneType");
    const Data *region_name = data_get(zone, "RegionName");
    const Data *zone_name = data_get(zone, "ZoneName");
    if (type.len > 0 && !str_is(type, "availability-zone")) {
        return; // local zones and those of carriers
    }
    const bool are_texts =
        region_name != NULL && region_name->kind == DATA_STRING && zone_name != NULL && zone_name->kind == DATA_STRING;
    const size_t letter = are_texts ? region_name->string.len : 0;
    if (!are_texts || !is_word(region_name->string) || !str_starts_with(zone_name->string, region_name->string) ||
        zone_name->string.len != letter + 1 || zone_name->string.data[letter] < 'a' ||
        zone_name->string.data[letter] > 'z') {
        fault(regions, zone, "a zone has `RegionName`, and a `ZoneName` that is the region's name and a letter");
        return;
    }
    Region *region = region_of(regions, region_name->string);
    region->letters |= 1u << (unsigned)(zone_name->string.data[letter] - 'a');
    add_id(regions, region, data_get(zone, "ZoneId"), zone);
}

static const Data *list_of(Regions *regions, Str path, const char *key) {
    const Data *file = refresh_read(regions->refresh, path, NULL);
    const Data *list = data_get(file, key);
    if (file != NULL && (list == NULL || list->kind != DATA_LIST)) {
        cell_fault(regions->refresh->session, file->span, "there is no list `%s`", key);
        return NULL;
    }
    return list;
}

static bool read_zones(Regions *regions) {
    const Paths paths = dumps_list(regions->refresh, "zones", ".json");
    for (uint32_t i = 0; i < paths.count; i++) {
        const Data *zones = list_of(regions, paths.items[i], "AvailabilityZones");
        for (uint32_t k = 0; zones != NULL && k < zones->count; k++) {
            read_zone(regions, zones->items[k]);
        }
    }
    return paths.count > 0;
}

static void put_region(StrBuf *out, const Region *region, Str partition, size_t width) {
    strbuf_add_format(out, "  %.*s:", STR_ARG(region->name));
    strbuf_add_repeated(out, ' ', width > region->name.len ? width - region->name.len : 0);
    strbuf_add_format(out, " { partition: %.*s, zones: ", STR_ARG(partition));
    for (unsigned i = 0; i < ZONES_MAX; i++) {
        if ((region->letters & (1u << i)) != 0) {
            strbuf_add_char(out, (char)('a' + (int)i));
        }
    }
    strbuf_add(out, region->letters == 0 ? STR("null") : STR_NONE);
    strbuf_add(out, STR(", ids: "));
    if (region->ids == 0) {
        strbuf_add(out, STR("null }\n"));
        return;
    }
    strbuf_add_format(out, "{ prefix: %.*s, numbers: [", STR_ARG(region->prefix));
    const char *comma = "";
    for (unsigned i = 1; i < ZONES_MAX; i++) {
        if ((region->ids & (1u << i)) != 0) {
            strbuf_add_format(out, "%s%u", comma, i);
            comma = ", ";
        }
    }
    strbuf_add(out, STR("] } }\n"));
}

// What the row says already.
static void read_region(Regions *regions, const DataEntry *row) {
    Region region = { .name = row->key, .row = row };
    const Str letters = data_text(row->value, "zones");
    for (size_t i = 0; i < letters.len; i++) {
        region.letters |=
            letters.data[i] >= 'a' && letters.data[i] <= 'z' ? 1u << (unsigned)(letters.data[i] - 'a') : 0;
    }
    const Data *ids = data_get(row->value, "ids");
    const Data *numbers = data_get(ids, "numbers");
    region.prefix = data_text(ids, "prefix");
    for (uint32_t i = 0; numbers != NULL && numbers->kind == DATA_LIST && i < numbers->count; i++) {
        const int64_t number = numbers->items[i]->integer;
        region.ids |= number > 0 && number < ZONES_MAX ? 1u << number : 0;
    }
    vec_push(regions->refresh->arena, &regions->regions, region);
}

// Regions whose names begin alike are of one partition: us-gov-…, cn-…, me-….
static Str partition_of(const Regions *regions, Str name) {
    const Str last = str_after_last(name, '-');
    const Str without = str_slice(name, 0, name.len - last.len - 1);
    const Str begin = str_slice(name, 0, without.len - str_after_last(without, '-').len);
    for (uint32_t i = 0; i < regions->regions.count; i++) {
        const Region *other = &regions->regions.items[i];
        const Str rest = str_slice(other->name, begin.len, other->name.len);
        const size_t dash = str_find(rest, STR("-"), 0);
        const bool is_alike = other->row != NULL && str_starts_with(other->name, begin) && dash < rest.len &&
                              str_find(rest, STR("-"), dash + 1) == rest.len;
        if (is_alike) {
            return data_text(other->row->value, "partition");
        }
    }
    return STR_NONE;
}

static void write_regions(Regions *regions) {
    Table *table = &regions->table;
    const Data *rows = data_get(table->file, "regions");
    size_t width = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        width = rows->entries[i].key.len > width ? rows->entries[i].key.len : width;
    }
    size_t place = line_start(table->text, rows->entries[0].key_span.start);
    for (uint32_t i = 0; i < regions->regions.count; i++) {
        const Region *region = &regions->regions.items[i];
        const size_t start = region->row == NULL ? place : line_start(table->text, region->row->key_span.start);
        const size_t end = region->row == NULL ? place : entry_end(table->text, start, 2);
        const Str partition =
            region->row == NULL ? partition_of(regions, region->name) : data_text(region->row->value, "partition");
        StrBuf line = { .arena = regions->refresh->arena };
        put_region(&line, region, partition, width);
        if (region->is_said && partition.len == 0) {
            cell_fault(regions->refresh->session, SPAN_NONE,
                       "the partition of `%.*s` is not known: add its row by hand", STR_ARG(region->name));
        } else if (region->is_said && !str_equal(strbuf_str(&line), str_slice(table->text, start, end))) {
            table_replace(table, start, end, strbuf_str(&line));
        }
        place = end;
    }
}

// ---- offers ----------------------------------------------------------------------------------------------------

static void offer(Regions *regions, Str type, Str region) {
    Arena *arena = regions->refresh->arena;
    Offered *offered = str_map_get_mutable(&regions->offers, type);
    if (offered == NULL) {
        offered = arena_new(arena, Offered);
        str_map_add(&regions->offers, type, offered);
        vec_push(arena, &regions->types, type);
    }
    for (uint32_t i = 0; i < offered->regions.count; i++) {
        if (str_equal(offered->regions.items[i], region)) {
            return;
        }
    }
    vec_push(arena, &offered->regions, region);
}

// Rows with accelerators. What is wrong with a row was reported when families were read.
static void read_accelerated(Regions *regions) {
    Refresh *refresh = regions->refresh;
    DIR *directory =
        opendir(str_c(refresh->arena, str_format(refresh->arena, "%.*s/instances", STR_ARG(refresh->schema))));
    for (const struct dirent *entry = directory == NULL ? NULL : readdir(directory); entry != NULL;
         entry = readdir(directory)) {
        Str text;
        const Data *file;
        const Str path = str_format(refresh->arena, "instances/%s", entry->d_name);
        ReadInstances rows = { 0 };
        if (str_ends_with(path, STR(".yaml")) && rows_text(refresh, path, &text, &file)) {
            rows_read(refresh->session, file, &rows);
        }
        for (uint32_t i = 0; i < rows.count; i++) {
            if (rows.items[i].row->accelerator != ACCELERATOR_NONE) {
                str_map_add(&regions->refresh->accelerated, str_of(rows.items[i].row->name), rows.items[i].row);
            }
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
}

// By region, or by zone id: then the file's name is the region's. False, reported, where it is neither.
static bool read_offering(Regions *regions, const Data *offering, Str file_region) {
    const Data *type = data_get(offering, "InstanceType");
    const Data *location = data_get(offering, "Location");
    if (type == NULL || type->kind != DATA_STRING || location == NULL || location->kind != DATA_STRING) {
        fault(regions, offering, "an offering has `InstanceType` and `Location`");
        return false;
    }
    Str prefix;
    int number;
    const bool is_id = read_id(location->string, &prefix, &number);
    if (is_id) {
        add_id(regions, region_of(regions, file_region), location, offering);
    } else if (!str_equal(location->string, file_region)) {
        fault(regions, location, "`Location` is to be the region of the file's name, or the id of a zone");
        return false;
    }
    offer(regions, type->string, file_region);
    return true;
}

// "DIR/offerings/us-east-1.zones.json"
static Str region_of_file(Str path) {
    const Str file = str_after_last(path, '/');
    return str_slice(file, 0, str_find(file, STR("."), 0));
}

static bool read_offerings(Regions *regions) {
    const Paths paths = dumps_list(regions->refresh, "offerings", ".json");
    for (uint32_t i = 0; i < paths.count; i++) {
        const Str region = region_of_file(paths.items[i]);
        const Data *offerings = list_of(regions, paths.items[i], "InstanceTypeOfferings");
        bool is_right = offerings != NULL;
        if (is_right && !is_word(region)) {
            cell_fault(regions->refresh->session, offerings->span,
                       "the file's name does not begin with that of a region");
            is_right = false;
        }
        for (uint32_t k = 0; is_right && k < offerings->count; k++) {
            is_right = read_offering(regions, offerings->items[k], region);
        }
    }
    return paths.count > 0;
}

// Without a row nothing can name the region, so that its offers are left out.
static void remark_without_row(Regions *regions) {
    const Paths paths = dumps_list(regions->refresh, "offerings", ".json");
    Str last = STR_NONE;
    for (uint32_t i = 0; i < paths.count; i++) {
        const Str region = region_of_file(paths.items[i]);
        if (find_region(regions, region) == NULL && !str_equal(region, last)) {
            remark(regions->refresh, "`%.*s` has no row of a region: its offers are left out", STR_ARG(region));
        }
        last = region;
    }
}

static int compare_texts(const void *a, const void *b) {
    return str_compare(*(const Str *)a, *(const Str *)b);
}

// The regions of a row and those that dumps add; NULL: a new row. False where none is added.
static bool merge_offers(Regions *regions, const Data *row, const Offered *offered, Texts *all) {
    Arena *arena = regions->refresh->arena;
    for (uint32_t i = 0; row != NULL && i < row->count; i++) {
        vec_push(arena, all, row->items[i]->string);
    }
    const uint32_t before = all->count;
    for (uint32_t i = 0; i < offered->regions.count; i++) {
        bool is_there = find_region(regions, offered->regions.items[i]) == NULL; // of no row: nothing can name it
        for (uint32_t k = 0; k < before; k++) {
            is_there = is_there || str_equal(all->items[k], offered->regions.items[i]);
        }
        if (!is_there) {
            vec_push(arena, all, offered->regions.items[i]);
        }
    }
    if (all->count > 1) {
        qsort(all->items, all->count, sizeof(all->items[0]), compare_texts);
    }
    return all->count > before;
}

static void write_offer(Regions *regions, Str type) {
    Table *table = &regions->table;
    const Data *rows = data_get(table->file, "offers");
    const Offered *offered = str_map_get_mutable(&regions->offers, type);
    size_t place = 0;
    const Data *row = NULL;
    size_t start = 0;
    for (uint32_t i = 0; i < rows->count && row == NULL; i++) {
        const int order = str_compare(rows->entries[i].key, type);
        start = line_start(table->text, rows->entries[i].key_span.start);
        row = order == 0 ? rows->entries[i].value : NULL;
        place = order < 0 ? entry_end(table->text, start, 2) : place;
    }
    if (row == NULL && (place == 0 || str_map_get(&regions->refresh->accelerated, type) == NULL)) {
        return; // offers are kept of types with accelerators
    }
    Texts all = { 0 };
    if (merge_offers(regions, row, offered, &all)) {
        StrBuf lines = { .arena = regions->refresh->arena };
        put_list(&lines, 2, str_c(regions->refresh->arena, type), &all);
        table_replace(table, row == NULL ? place : start, row == NULL ? place : entry_end(table->text, start, 2),
                      strbuf_str(&lines));
    }
}

void refresh_regions(Refresh *refresh) {
    Regions regions = { .refresh = refresh, .offers = { .arena = refresh->arena } };
    if (!table_open(refresh, "regions.yaml", &regions.table)) {
        return;
    }
    const Data *rows = data_get(regions.table.file, "regions");
    const Data *offers = data_get(regions.table.file, "offers");
    if (rows == NULL || rows->kind != DATA_MAP || rows->count == 0 || offers == NULL || offers->kind != DATA_MAP) {
        cell_fault(refresh->session, regions.table.file->span, "`regions` and `offers` are maps");
        return;
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        read_region(&regions, &rows->entries[i]);
    }
    const bool has_zones = read_zones(&regions);
    const bool has_offerings = read_offerings(&regions);
    const bool has_sources = (!has_zones || table_source(&regions.table, "zones_described", "zones")) &&
                             (!has_offerings || table_source(&regions.table, "offerings", "offerings"));
    if (!has_sources || has_errors(refresh->session)) {
        return;
    }
    write_regions(&regions);
    if (has_offerings) {
        remark_without_row(&regions);
        read_accelerated(&regions);
    }
    if (regions.types.count > 1) {
        qsort(regions.types.items, regions.types.count, sizeof(Str), compare_texts);
    }
    for (uint32_t i = 0; i < regions.types.count; i++) {
        write_offer(&regions, regions.types.items[i]);
    }
    table_close(&regions.table);
}
