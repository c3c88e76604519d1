// schema/instances/<family>.yaml -> INSTANCE_ROWS, sorted by name over all families. A family's `common` holds the
// columns that all its types share: a column stands there or in every row, never in both.
#include "schema/schemagen.h"

#include "compiler/base/diag.h"

enum {
    COLUMN_ARCHITECTURE,
    COLUMN_VCPUS,
    COLUMN_CORES,
    COLUMN_THREADS_PER_CORE,
    COLUMN_MEMORY_MIB,
    COLUMN_ACCELERATOR,
    COLUMN_NETWORK_GBPS,
    COLUMN_NETWORK_CARDS,
    COLUMN_CARDS,
    COLUMN_EFA,
    COLUMN_NVME,
    COLUMN_PLACEMENT_CLUSTER,
    COLUMN_CAPACITY,
    COLUMN_UNPRICED,
    COLUMN_ULTRASERVER,
    COLUMN_LAYOUTS,
    COLUMN_STATUS,
    COLUMN_SOURCES,
    COLUMN_NOTE,
    COLUMN_COUNT
};

static const Column COLUMNS[COLUMN_COUNT] = {
    [COLUMN_ARCHITECTURE] = { "architecture", CELL_TEXT | CELL_NULL },
    [COLUMN_VCPUS] = { "vcpus", CELL_INT | CELL_NULL },
    [COLUMN_CORES] = { "cores", CELL_INT | CELL_NULL },
    [COLUMN_THREADS_PER_CORE] = { "threads_per_core", CELL_INT | CELL_NULL },
    [COLUMN_MEMORY_MIB] = { "memory_mib", CELL_INT | CELL_NULL },
    [COLUMN_ACCELERATOR] = { "accelerator", CELL_MAP | CELL_NONE | CELL_NULL },
    [COLUMN_NETWORK_GBPS] = { "network_gbps", CELL_INT | CELL_REAL | CELL_NULL },
    [COLUMN_NETWORK_CARDS] = { "network_cards", CELL_INT | CELL_NULL },
    [COLUMN_CARDS] = { "cards", CELL_LIST | CELL_NULL },
    [COLUMN_EFA] = { "efa", CELL_MAP | CELL_NONE | CELL_NULL },
    [COLUMN_NVME] = { "nvme", CELL_MAP | CELL_NONE | CELL_NULL },
    [COLUMN_PLACEMENT_CLUSTER] = { "placement_cluster", CELL_BOOL | CELL_NULL },
    [COLUMN_CAPACITY] = { "capacity", CELL_LIST | CELL_NULL },
    [COLUMN_UNPRICED] = { "unpriced", CELL_BOOL | CELL_OPTIONAL },
    [COLUMN_ULTRASERVER] = { "ultraserver", CELL_LIST | CELL_OPTIONAL },
    [COLUMN_LAYOUTS] = { "layouts", CELL_MAP | CELL_OPTIONAL },
    [COLUMN_STATUS] = { "status", CELL_TEXT },
    [COLUMN_SOURCES] = { "sources", CELL_LIST },
    [COLUMN_NOTE] = { "note", CELL_TEXT | CELL_OPTIONAL },
};

typedef struct {
    Str name;
    Str text; // its initialiser
} Row;

typedef VEC(Row) Rows;

// One family's file while it is read.
typedef struct {
    Str name;
    const Data *sources;
    const Data *common;
} Family;

static void put_number(StrBuf *out, const char *field, int64_t value) {
    if (value == UNKNOWN_CELL) {
        put(out, ".%s = UNKNOWN, ", field);
    } else {
        put(out, ".%s = %" PRId64 ", ", field, value);
    }
}

// ---- cells of several values -----------------------------------------------------------------------------------

static const Word VENDORS[] = {
    { "NVIDIA", "ACCELERATOR_NVIDIA" }, { "AWS", "ACCELERATOR_NEURON" },     { "AMD", "ACCELERATOR_OTHER" },
    { "Habana", "ACCELERATOR_OTHER" },  { "Qualcomm", "ACCELERATOR_OTHER" }, { "Xilinx", "ACCELERATOR_OTHER" },
};

// `null` for a type of which nothing is known has no vendor either, but its count stays UNKNOWN.
static void put_accelerator(Generator *generator, StrBuf *out, Str name, const Data *cell) {
    enum { VENDOR, MODEL, COUNT, MEMORY, CORES, SHARE, COLUMNS_OF_ONE };
    static const Column ONE[COLUMNS_OF_ONE] = {
        [VENDOR] = { "vendor", CELL_TEXT },
        [MODEL] = { "name", CELL_TEXT },
        [COUNT] = { "count", CELL_INT },
        [MEMORY] = { "memory_mib", CELL_INT },
        [CORES] = { "neuron_cores", CELL_INT | CELL_OPTIONAL },
        [SHARE] = { "share", CELL_TEXT | CELL_OPTIONAL },
    };
    const Data *cells[COLUMNS_OF_ONE];
    if (cell->kind != DATA_MAP) {
        put(out, ".accelerators = %s,\n      ", cell->kind == DATA_NULL ? "UNKNOWN" : "0");
        return;
    }
    if (!read_cells(generator, name, cell->span, cell, NULL, ONE, COLUMNS_OF_ONE, cells)) {
        return;
    }
    const char *kind = read_word(generator, cells[VENDOR], "vendor", VENDORS, COUNT_OF(VENDORS));
    const int64_t count = read_int(generator, cells[COUNT], "a number of accelerators", 0, 1000);
    if ((count == 0) != (cells[SHARE] != NULL)) {
        fault(generator, cells[COUNT]->span, "a type with no whole accelerator has a `share` of one, others have none");
    }
    if (cell_is(cells[VENDOR], "AWS") != (cells[CORES] != NULL)) {
        fault(generator, cell->span, "devices of AWS have `neuron_cores`, and no others have");
    }
    put(out, ".accelerator = %s, .accelerator_vendor = ", kind == NULL ? "" : kind);
    put_cell_string(out, cells[VENDOR]);
    put(out, ", .accelerator_name = ");
    put_cell_string(out, cells[MODEL]);
    put(out, ", ");
    put_number(out, "accelerators", count);
    if (cells[SHARE] != NULL) {
        put(out, ".accelerator_share = ");
        put_cell_string(out, cells[SHARE]);
        put(out, ", ");
    }
    put_number(out, "accelerator_memory_mib",
               read_int(generator, cells[MEMORY], "a device's memory", 1, INT64_C(1) << 30));
    if (cells[CORES] != NULL) {
        put_number(out, "neuron_cores", read_int(generator, cells[CORES], "a number of Neuron cores", 1, 1000));
    }
    put(out, "\n      ");
}

// Returns how many EFA interfaces the type has, or UNKNOWN_CELL.
static int64_t put_efa(Generator *generator, StrBuf *out, Str name, const Data *cell) {
    enum { MAX, GENERATION, GBPS, RDMA_READ, RDMA_WRITE, COLUMNS_OF_EFA };
    static const Column EFA[COLUMNS_OF_EFA] = {
        [MAX] = { "max", CELL_INT | CELL_NULL },
        [GENERATION] = { "generation", CELL_TEXT | CELL_NULL },
        [GBPS] = { "gbps", CELL_INT | CELL_NULL },
        [RDMA_READ] = { "rdma_read", CELL_BOOL | CELL_NULL },
        [RDMA_WRITE] = { "rdma_write", CELL_BOOL | CELL_NULL },
    };
    const Data *cells[COLUMNS_OF_EFA];
    if (cell->kind != DATA_MAP) {
        const char *value = cell->kind == DATA_NULL ? "UNKNOWN" : "0";
        put(out, ".efa_max = %s, .efa_gbps = %s, ", value, value);
        put(out, ".rdma_read = %s, .rdma_write = %s,\n      ", value, value);
        return cell->kind == DATA_NULL ? UNKNOWN_CELL : 0;
    }
    if (!read_cells(generator, name, cell->span, cell, NULL, EFA, COLUMNS_OF_EFA, cells)) {
        return UNKNOWN_CELL;
    }
    const int64_t most = read_int(generator, cells[MAX], "a number of EFA interfaces", 1, CARDS_MAX);
    put_number(out, "efa_max", most);
    put(out, ".efa_generation = ");
    put_cell_string(out, cells[GENERATION]);
    put(out, ", ");
    put_number(out, "efa_gbps", read_int(generator, cells[GBPS], "EFA's bandwidth in Gbps", 1, 100000));
    put(out, ".rdma_read = ");
    put_truth(out, cells[RDMA_READ]);
    put(out, ", .rdma_write = ");
    put_truth(out, cells[RDMA_WRITE]);
    put(out, ",\n      ");
    return most;
}

static void put_nvme(Generator *generator, StrBuf *out, Str name, const Data *cell) {
    enum { COUNT, TOTAL, COLUMNS_OF_NVME };
    static const Column NVME[COLUMNS_OF_NVME] = {
        [COUNT] = { "count", CELL_INT },
        [TOTAL] = { "total_gb", CELL_INT },
    };
    const Data *cells[COLUMNS_OF_NVME];
    if (cell->kind != DATA_MAP) {
        const char *value = cell->kind == DATA_NULL ? "UNKNOWN" : "0";
        put(out, ".nvme_count = %s, .nvme_total_gb = %s, ", value, value);
        return;
    }
    if (read_cells(generator, name, cell->span, cell, NULL, NVME, COLUMNS_OF_NVME, cells)) {
        put_number(out, "nvme_count", read_int(generator, cells[COUNT], "a number of disks", 1, 1000));
        put_number(out, "nvme_total_gb", read_int(generator, cells[TOTAL], "the disks' size in GB", 1, 10000000));
    }
}

enum { ULTRASERVER_SIZES_MAX = 3 }; // as schema.h has it

// Whether what is sold has a price, and in which numbers it comes.
static void put_sale(Generator *generator, StrBuf *out, const Data *capacity, const Data *unpriced, const Data *sizes) {
    bool is_on_demand = false;
    for (uint32_t i = 0; capacity->kind == DATA_LIST && i < capacity->count; i++) {
        is_on_demand = is_on_demand || cell_is(capacity->items[i], "on_demand");
    }
    if (unpriced != NULL && unpriced->boolean && !is_on_demand) {
        fault(generator, unpriced->span, "what is not sold on demand has no price on demand to miss");
    }
    put(out, ".is_unpriced = %s, ", unpriced != NULL && unpriced->boolean ? "true" : "false");
    if (sizes == NULL) {
        return;
    }
    if (sizes->count == 0 || sizes->count > ULTRASERVER_SIZES_MAX) {
        fault(generator, sizes->span, "`ultraserver` has one to %d sizes", ULTRASERVER_SIZES_MAX);
    }
    put(out, ".ultraserver_sizes = { ");
    int64_t before = 1;
    for (uint32_t i = 0; i < sizes->count; i++) {
        const int64_t size = read_int(generator, sizes->items[i], "a number of instances", 2, 1000);
        if (size <= before) {
            fault(generator, sizes->items[i]->span, "sizes ascend");
        }
        put(out, "%" PRId64 ", ", size);
        before = size;
    }
    put(out, "0 }, ");
}

static void put_capacity(Generator *generator, StrBuf *out, const Data *cell) {
    static const Word KINDS[] = {
        { "on_demand", "capacity_on_demand" },
        { "spot", "capacity_spot" },
        { "block", "capacity_block" },
    };
    bool has[COUNT_OF(KINDS)] = { false };
    for (uint32_t i = 0; cell->kind == DATA_LIST && i < cell->count; i++) {
        const char *c = read_word(generator, cell->items[i], "kind of capacity", KINDS, COUNT_OF(KINDS));
        for (size_t j = 0; j < COUNT_OF(KINDS); j++) {
            has[j] = has[j] || KINDS[j].c == c;
        }
    }
    for (size_t j = 0; j < COUNT_OF(KINDS); j++) {
        put(out, ".%s = %s, ", KINDS[j].c, cell->kind == DATA_NULL ? "UNKNOWN" : has[j] ? "1" : "0");
    }
    put(out, "\n      ");
}

// "0.75" Gbps as 750 Mbps; three decimals at most.
static void put_network(Generator *generator, StrBuf *out, const Data *cell) {
    const Str text = cell->kind == DATA_INT ? str_format(generator->arena, "%" PRId64, cell->integer) : cell->string;
    if (cell->kind == DATA_NULL) {
        put_number(out, "network_mbps", UNKNOWN_CELL);
        return;
    }
    size_t offset = 0;
    int mbps = read_digits(text, &offset);
    mbps = mbps > 1000000 ? -1 : mbps * 1000;
    if (mbps >= 0 && offset < text.len && text.data[offset] == '.') {
        offset++;
        const size_t start = offset;
        int decimals = read_digits(text, &offset);
        for (size_t i = offset - start; i < 3 && decimals >= 0; i++) {
            decimals *= 10;
        }
        mbps = decimals < 0 || offset - start > 3 ? -1 : mbps + decimals;
    }
    if (mbps < 0 || offset != text.len) {
        fault(generator, cell->span, "`network_gbps` is a number with three decimals at most");
    }
    put_number(out, "network_mbps", mbps);
}

// One source a line: its key and what the file says it is.
static void put_sources(Generator *generator, StrBuf *out, const Family *family, const Data *keys) {
    StrBuf text = { .arena = generator->arena };
    for (uint32_t i = 0; i < keys->count; i++) {
        const Data *key = keys->items[i];
        const Data *source =
            key->kind == DATA_STRING ? data_get(family->sources, str_c(generator->arena, key->string)) : NULL;
        if (source == NULL || source->kind != DATA_STRING) {
            fault(generator, key->span, "the file's `sources` has no such text");
            continue;
        }
        put(&text, "%s%.*s: %.*s", i == 0 ? "" : "\n", STR_ARG(key->string), STR_ARG(source->string));
    }
    if (keys->count == 0) {
        fault(generator, keys->span, "a row has a source");
    }
    put(out, ".sources = ");
    put_string(out, strbuf_str(&text));
}

// ---- rows ------------------------------------------------------------------------------------------------------

static void check_sums(Generator *generator, const Data *const *cells, const Cards *cards, int64_t efa_max) {
    const Data *vcpus = cells[COLUMN_VCPUS];
    const Data *cores = cells[COLUMN_CORES];
    const Data *threads = cells[COLUMN_THREADS_PER_CORE];
    if (vcpus->kind == DATA_INT && cores->kind == DATA_INT && threads->kind == DATA_INT &&
        vcpus->integer != cores->integer * threads->integer) {
        fault(generator, vcpus->span, "%" PRId64 " vCPUs are not %" PRId64 " cores with %" PRId64 " threads",
              vcpus->integer, cores->integer, threads->integer);
    }
    int efa_cards = 0;
    for (int i = 0; i < cards->count; i++) {
        efa_cards += cards->items[i].takes_efa ? 1 : 0;
    }
    if (efa_max != UNKNOWN_CELL && cards->count > 0 && (efa_max > efa_cards || (efa_max == 0 && efa_cards > 0))) {
        fault(generator, cells[COLUMN_EFA]->span, "%" PRId64 " EFA interfaces, but %d cards that take one", efa_max,
              efa_cards);
    }
    const bool is_gap = cards->count == 0 || efa_max == UNKNOWN_CELL || vcpus->kind == DATA_NULL ||
                        cells[COLUMN_MEMORY_MIB]->kind == DATA_NULL || cells[COLUMN_ARCHITECTURE]->kind == DATA_NULL;
    if (is_gap && cell_is(cells[COLUMN_STATUS], "current")) {
        fault(generator, cells[COLUMN_STATUS]->span, "a current type has no null among what a node is built from");
    }
}

// Bits of the regions that offer a type. Asked for before the row is read, so that a faulty row is no missing one.
static uint64_t use_offer(Generator *generator, Str name) {
    Offer *offer = str_map_get(&generator->offers, name);
    if (offer == NULL) {
        return 0;
    }
    offer->is_used = true;
    return offer->regions;
}

static void put_processor(Generator *generator, StrBuf *out, const Data *const *cells) {
    static const Word ARCHITECTURES[] = { { "x86_64", "ARCHITECTURE_X86_64" }, { "arm64", "ARCHITECTURE_ARM64" } };
    const Data *cell = cells[COLUMN_ARCHITECTURE];
    const char *architecture = "ARCHITECTURE_UNKNOWN";
    if (cell->kind != DATA_NULL) {
        architecture = read_word(generator, cell, "architecture", ARCHITECTURES, COUNT_OF(ARCHITECTURES));
    }
    put(out, ".architecture = %s, ", architecture == NULL ? "" : architecture);
    put_number(out, "vcpus", read_int(generator, cells[COLUMN_VCPUS], "a number of vCPUs", 1, 100000));
    put_number(out, "cores", read_int(generator, cells[COLUMN_CORES], "a number of cores", 1, 100000));
    put_number(out, "threads_per_core", read_int(generator, cells[COLUMN_THREADS_PER_CORE], "threads", 1, 8));
    put_number(out, "memory_mib", read_int(generator, cells[COLUMN_MEMORY_MIB], "memory", 1, INT64_C(1) << 30));
    put(out, "\n      ");
}

static void put_status(Generator *generator, StrBuf *out, const Family *family, const Data *const *cells) {
    static const Word STATUSES[] = {
        { "current", "" },
        { "retired", "" },
        { "ultraserver-only", "" },
        { "named-only", "" },
    };
    read_word(generator, cells[COLUMN_STATUS], "status", STATUSES, COUNT_OF(STATUSES));
    put(out, ".status = ");
    put_cell_string(out, cells[COLUMN_STATUS]);
    put(out, ",\n      ");
    put_sources(generator, out, family, cells[COLUMN_SOURCES]);
    put(out, ",\n      .note = ");
    put_cell_string(out, cells[COLUMN_NOTE]);
    put(out, " },\n");
}

static void put_row(Generator *generator, const Family *family, const DataEntry *entry, Rows *rows) {
    const Str name = entry->key;
    const uint64_t offered = use_offer(generator, name);
    if (!str_starts_with(name, str_format(generator->arena, "%.*s.", STR_ARG(family->name)))) {
        fault(generator, entry->key_span, "`%.*s` is not of the family `%.*s`", STR_ARG(name), STR_ARG(family->name));
        return;
    }
    const Data *cells[COLUMN_COUNT];
    if (!read_cells(generator, name, entry->key_span, entry->value, family->common, COLUMNS, COLUMN_COUNT, cells)) {
        return;
    }
    Cards cards;
    const int64_t network_cards = read_int(generator, cells[COLUMN_NETWORK_CARDS], "network cards", 1, CARDS_MAX);
    if (!read_cards(generator, cells[COLUMN_CARDS], network_cards, &cards)) {
        return;
    }
    generator->nics_most = cards.count + 1 > generator->nics_most ? cards.count + 1 : generator->nics_most;

    StrBuf out = { .arena = generator->arena };
    put(&out, "    { .name = \"%.*s\", .family = \"%.*s\", ", STR_ARG(name), STR_ARG(family->name));
    put_processor(generator, &out, cells);
    put_accelerator(generator, &out, name, cells[COLUMN_ACCELERATOR]);
    put_cards(&out, &cards);
    put_number(&out, "network_cards", network_cards);
    put_network(generator, &out, cells[COLUMN_NETWORK_GBPS]);
    const int64_t efa_max = put_efa(generator, &out, name, cells[COLUMN_EFA]);
    put_nvme(generator, &out, name, cells[COLUMN_NVME]);
    put(&out, ".placement_cluster = ");
    put_truth(&out, cells[COLUMN_PLACEMENT_CLUSTER]);
    put(&out, ", ");
    put_sale(generator, &out, cells[COLUMN_CAPACITY], cells[COLUMN_UNPRICED], cells[COLUMN_ULTRASERVER]);
    put_capacity(generator, &out, cells[COLUMN_CAPACITY]);
    put_layouts(generator, &out, cells[COLUMN_LAYOUTS], family->sources, &cards, efa_max);
    put(&out, ".offered = UINT64_C(0x%" PRIx64 "), ", offered);
    put_status(generator, &out, family, cells);
    check_sums(generator, cells, &cards, efa_max);
    vec_push(generator->arena, rows, (Row){ .name = name, .text = strbuf_str(&out) });
}

static void read_family(Generator *generator, Str name, Rows *rows) {
    enum { FAMILY, SOURCES, COMMON, TYPES, FILE_COLUMN_COUNT };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [FAMILY] = { "family", CELL_TEXT },
        [SOURCES] = { "sources", CELL_MAP },
        [COMMON] = { "common", CELL_MAP | CELL_OPTIONAL },
        [TYPES] = { "types", CELL_MAP },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    const Data *file = read_file(generator, str_format(generator->arena, "instances/%.*s.yaml", STR_ARG(name)));
    if (file == NULL ||
        !read_cells(generator, STR("the file"), file->span, file, NULL, FILE_COLUMNS, FILE_COLUMN_COUNT, cells)) {
        return;
    }
    if (!str_equal(cells[FAMILY]->string, name)) {
        fault(generator, cells[FAMILY]->span, "the file's name says `%.*s`", STR_ARG(name));
        return;
    }
    const Family family = { .name = name, .sources = cells[SOURCES], .common = cells[COMMON] };
    if (family.common != NULL) {
        check_keys(generator, STR("`common`"), family.common, COLUMNS, COLUMN_COUNT);
    }
    for (uint32_t i = 0; i < cells[TYPES]->count; i++) {
        put_row(generator, &family, &cells[TYPES]->entries[i], rows);
    }
}

static int compare_rows(const void *a, const void *b) {
    return str_compare(((const Row *)a)->name, ((const Row *)b)->name);
}

void generate_instances(Generator *generator) {
    Rows rows = { 0 };
    const Names families = list_files(generator, "instances");
    for (uint32_t i = 0; i < families.count; i++) {
        read_family(generator, families.items[i], &rows);
    }
    if (rows.count > 1) {
        qsort(rows.items, rows.count, sizeof(rows.items[0]), compare_rows);
    }
    StrBuf *out = &generator->tables;
    put(out, "const InstanceRow INSTANCE_ROWS[] = {\n");
    for (uint32_t i = 0; i < rows.count; i++) {
        strbuf_add(out, rows.items[i].text);
    }
    put(out, "};\nconst int INSTANCE_ROW_COUNT = %" PRIu32 ";\n\n", rows.count);
    put(out, "_Static_assert(NICS_MAX >= %" PRId64 ", \"room for every layout\");\n\n", generator->nics_most);
    for (size_t i = 0; i < generator->offers.capacity; i++) {
        const Offer *offer = generator->offers.slots[i].value;
        if (offer != NULL && !offer->is_used) {
            fault(generator, offer->span, "there is no instance type `%.*s`", STR_ARG(generator->offers.slots[i].key));
        }
    }
}
