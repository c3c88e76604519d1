// A file of instance types in our own format to rows. A family's `common` holds the columns that all its types share: a
// column stands there or in every row, never in both. Only `sources` of a row may stand in place of the common ones.
#include "schema/row_instance.h"

#include "compiler/base/session.h"

const Column INSTANCE_COLUMNS[COLUMN_COUNT] = {
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
    [COLUMN_DRIVER] = { "driver", CELL_MAP | CELL_OPTIONAL },
    [COLUMN_UNPRICED] = { "unpriced", CELL_BOOL | CELL_OPTIONAL },
    [COLUMN_ULTRASERVER] = { "ultraserver", CELL_LIST | CELL_OPTIONAL },
    [COLUMN_ONLY_ZONE] = { "only_zone", CELL_TEXT | CELL_OPTIONAL },
    [COLUMN_LAYOUTS] = { "layouts", CELL_MAP | CELL_OPTIONAL },
    [COLUMN_STATUS] = { "status", CELL_TEXT },
    [COLUMN_SOURCES] = { "sources", CELL_LIST | CELL_REPLACES },
    [COLUMN_NOTE] = { "note", CELL_TEXT | CELL_OPTIONAL },
    [COLUMN_UNVERIFIED] = { "unverified", CELL_TEXT | CELL_OPTIONAL },
};

// One family's file while it is read.
typedef struct {
    Session *session;
    Str name;
    const Data *sources;
    const Data *common;
} Family;

static int truth_of(const Data *cell) {
    return cell->kind == DATA_NULL ? UNKNOWN : cell->boolean ? 1 : 0;
}

AcceleratorKind accelerator_kind(Str vendor) {
    return str_is(vendor, "NVIDIA") ? ACCELERATOR_NVIDIA
           : str_is(vendor, "AWS")  ? ACCELERATOR_NEURON
                                    : ACCELERATOR_OTHER;
}

int mbps_of(Str gbps) {
    enum { GBPS_MAX = 1000000, DECIMALS = 3 };
    size_t offset = 0;
    int mbps = read_digits(gbps, &offset);
    mbps = mbps < 0 || mbps > GBPS_MAX ? UNKNOWN : mbps * 1000;
    if (mbps >= 0 && offset < gbps.len && gbps.data[offset] == '.') {
        offset++;
        const size_t start = offset;
        int decimals = read_digits(gbps, &offset);
        for (size_t i = offset - start; i < DECIMALS && decimals >= 0; i++) {
            decimals *= 10;
        }
        mbps = decimals < 0 || offset - start > DECIMALS ? UNKNOWN : mbps + decimals;
    }
    return offset == gbps.len ? mbps : UNKNOWN;
}

// A column that is no map is `none` or null: 0 or UNKNOWN.
static int number_of_none(const Data *cell) {
    return cell->kind == DATA_NULL ? UNKNOWN : 0;
}

// ---- cells of several values -----------------------------------------------------------------------------------

static const char *const ARCHITECTURES[] = {
    [ARCHITECTURE_X86_64] = "x86_64",
    [ARCHITECTURE_ARM64] = "arm64",
    [ARCHITECTURE_UNKNOWN] = "unknown",
};

const char *schema_architecture_name(Architecture architecture) {
    return ARCHITECTURES[architecture];
}

static void read_processor(Session *session, const Data *const *cells, InstanceRow *row) {
    const Data *cell = cells[COLUMN_ARCHITECTURE];
    const int word =
        cell->kind == DATA_NULL ? -1 : cell_word(session, cell, "architecture", ARCHITECTURES, ARCHITECTURE_UNKNOWN);
    row->architecture = word < 0 ? ARCHITECTURE_UNKNOWN : (Architecture)word;
    row->vcpus = (int)cell_int(session, cells[COLUMN_VCPUS], "a number of vCPUs", 1, 100000);
    row->cores = (int)cell_int(session, cells[COLUMN_CORES], "a number of cores", 1, 100000);
    row->threads_per_core = (int)cell_int(session, cells[COLUMN_THREADS_PER_CORE], "threads", 1, 8);
    row->memory_mib = cell_int(session, cells[COLUMN_MEMORY_MIB], "memory", 1, INT64_C(1) << 30);
}

// `null` for a type of which nothing is known has no vendor either, but its count is UNKNOWN.
static void read_accelerator(Session *session, Str name, const Data *cell, InstanceRow *row) {
    enum { VENDOR, MODEL, COUNT, MEMORY, CORES, SHARE, FABRIC_MANAGER, COLUMNS_OF_ONE };
    static const Column ONE[COLUMNS_OF_ONE] = {
        [VENDOR] = { "vendor", CELL_TEXT },
        [MODEL] = { "name", CELL_TEXT },
        [COUNT] = { "count", CELL_INT },
        [MEMORY] = { "memory_mib", CELL_INT },
        [CORES] = { "neuron_cores", CELL_INT | CELL_OPTIONAL },
        [SHARE] = { "share", CELL_TEXT | CELL_OPTIONAL },
        [FABRIC_MANAGER] = { "fabric_manager", CELL_BOOL | CELL_OPTIONAL },
    };
    static const char *const VENDORS[] = { "NVIDIA", "AWS", "AMD", "Habana", "Qualcomm", "Xilinx" };
    const Data *cells[COLUMNS_OF_ONE];
    row->accelerators = number_of_none(cell);
    if (cell->kind != DATA_MAP || !cells_read(session, name, cell->span, cell, NULL, ONE, COLUMNS_OF_ONE, cells)) {
        return;
    }
    cell_word(session, cells[VENDOR], "vendor", VENDORS, COUNT_OF(VENDORS));
    row->accelerator = accelerator_kind(cells[VENDOR]->string);
    row->accelerator_vendor = cell_string(session, cells[VENDOR]);
    row->accelerator_name = cell_string(session, cells[MODEL]);
    row->accelerators = (int)cell_int(session, cells[COUNT], "a number of accelerators", 0, 1000);
    row->accelerator_share = cell_string(session, cells[SHARE]);
    row->needs_fabric_manager = cells[FABRIC_MANAGER] != NULL && cells[FABRIC_MANAGER]->boolean;
    if ((row->accelerators == 0) != (cells[SHARE] != NULL)) {
        cell_fault(session, cells[COUNT]->span,
                   "a type with no whole accelerator has a `share` of one, others have none");
    }
    if (cell_is(cells[VENDOR], "AWS") != (cells[CORES] != NULL)) {
        cell_fault(session, cell->span, "devices of AWS have `neuron_cores`, and no others have");
    }
    row->accelerator_memory_mib = cell_int(session, cells[MEMORY], "a device's memory", 1, INT64_C(1) << 30);
    if (cells[CORES] != NULL) {
        row->neuron_cores = (int)cell_int(session, cells[CORES], "a number of Neuron cores", 1, 1000);
    }
}

// The branches of NVIDIA's driver that work with an accelerator, as far as a source says.
static void read_driver(Session *session, Str name, const Data *cell, InstanceRow *row) {
    enum { FIRST, LAST, COLUMNS_OF_DRIVER, BRANCH_MAX = 9999 };
    static const Column DRIVER[COLUMNS_OF_DRIVER] = {
        [FIRST] = { "first", CELL_INT | CELL_OPTIONAL },
        [LAST] = { "last", CELL_INT | CELL_OPTIONAL },
    };
    const Data *cells[COLUMNS_OF_DRIVER];
    if (cell == NULL) {
        return;
    }
    if (row->accelerator != ACCELERATOR_NVIDIA) {
        cell_fault(session, cell->span, "devices of NVIDIA have a `driver`, and no others have");
        return;
    }
    if (!cells_read(session, name, cell->span, cell, NULL, DRIVER, COLUMNS_OF_DRIVER, cells)) {
        return;
    }
    if (cells[FIRST] != NULL) {
        row->driver_first = (int)cell_int(session, cells[FIRST], "a branch of the driver", 1, BRANCH_MAX);
    }
    if (cells[LAST] != NULL) {
        row->driver_last = (int)cell_int(session, cells[LAST], "a branch of the driver", 1, BRANCH_MAX);
    }
    if (row->driver_last != 0 && row->driver_first > row->driver_last) {
        cell_fault(session, cell->span, "the first branch comes before the last");
    }
}

static void read_efa(Session *session, Str name, const Data *cell, InstanceRow *row) {
    enum { MAX, GENERATION, GBPS, RDMA_READ, RDMA_WRITE, DEVICE, COLUMNS_OF_EFA };
    static const Column EFA[COLUMNS_OF_EFA] = {
        [MAX] = { "max", CELL_INT | CELL_NULL },
        [GENERATION] = { "generation", CELL_TEXT | CELL_NULL },
        [GBPS] = { "gbps", CELL_INT | CELL_NULL },
        [RDMA_READ] = { "rdma_read", CELL_BOOL | CELL_NULL },
        [RDMA_WRITE] = { "rdma_write", CELL_BOOL | CELL_NULL },
        [DEVICE] = { "device", CELL_TEXT | CELL_OPTIONAL },
    };
    static const char *const DEVICES[] = { "efa0", "efa1", "efa2", "efa3" };
    const Data *cells[COLUMNS_OF_EFA];
    row->efa_max = number_of_none(cell);
    row->efa_gbps = row->efa_max;
    row->rdma_read = row->efa_max;
    row->rdma_write = row->efa_max;
    if (cell->kind != DATA_MAP || !cells_read(session, name, cell->span, cell, NULL, EFA, COLUMNS_OF_EFA, cells)) {
        return;
    }
    row->efa_max = (int)cell_int(session, cells[MAX], "a number of EFA interfaces", 1, CARDS_MAX);
    row->efa_generation = cell_string(session, cells[GENERATION]);
    row->efa_gbps = (int)cell_int(session, cells[GBPS], "EFA's bandwidth in Gbps", 1, 100000);
    row->rdma_read = truth_of(cells[RDMA_READ]);
    row->rdma_write = truth_of(cells[RDMA_WRITE]);
    const int device =
        cells[DEVICE] == NULL ? -1 : cell_word(session, cells[DEVICE], "EFA device", DEVICES, COUNT_OF(DEVICES));
    row->efa_device = device < 0 ? NULL : DEVICES[device];
}

static void read_nvme(Session *session, Str name, const Data *cell, InstanceRow *row) {
    enum { COUNT, TOTAL, COLUMNS_OF_NVME };
    static const Column NVME[COLUMNS_OF_NVME] = {
        [COUNT] = { "count", CELL_INT },
        [TOTAL] = { "total_gb", CELL_INT },
    };
    const Data *cells[COLUMNS_OF_NVME];
    row->nvme_count = number_of_none(cell);
    row->nvme_total_gb = row->nvme_count;
    if (cell->kind == DATA_MAP && cells_read(session, name, cell->span, cell, NULL, NVME, COLUMNS_OF_NVME, cells)) {
        row->nvme_count = (int)cell_int(session, cells[COUNT], "a number of disks", 1, 1000);
        row->nvme_total_gb = cell_int(session, cells[TOTAL], "the disks' size in GB", 1, 10000000);
    }
}

static void read_capacity(Session *session, const Data *cell, InstanceRow *row) {
    static const char *const KINDS[] = { "on_demand", "spot", "block" };
    int *const facts[COUNT_OF(KINDS)] = { &row->capacity_on_demand, &row->capacity_spot, &row->capacity_block };
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        *facts[i] = number_of_none(cell);
    }
    for (uint32_t i = 0; cell->kind == DATA_LIST && i < cell->count; i++) {
        const int kind = cell_word(session, cell->items[i], "kind of capacity", KINDS, COUNT_OF(KINDS));
        if (kind >= 0) {
            *facts[kind] = 1;
        }
    }
}

// Whether what is sold has a price, and in which numbers it comes.
static void read_sale(Session *session, const Data *unpriced, const Data *sizes, InstanceRow *row) {
    row->is_unpriced = unpriced != NULL && unpriced->boolean;
    if (row->is_unpriced && row->capacity_on_demand != 1) {
        cell_fault(session, unpriced->span, "what is not sold on demand has no price on demand to miss");
    }
    if (sizes == NULL) {
        return;
    }
    if (sizes->count == 0 || sizes->count > ULTRASERVER_SIZES_MAX) {
        cell_fault(session, sizes->span, "`ultraserver` has one to %d sizes", ULTRASERVER_SIZES_MAX);
        return;
    }
    for (uint32_t i = 0; i < sizes->count; i++) {
        row->ultraserver_sizes[i] = (int)cell_int(session, sizes->items[i], "a number of instances", 2, 1000);
        if (row->ultraserver_sizes[i] <= (i == 0 ? 1 : row->ultraserver_sizes[i - 1])) {
            cell_fault(session, sizes->items[i]->span, "sizes ascend");
        }
    }
}

static void read_network(Session *session, const Data *cell, InstanceRow *row) {
    if (cell->kind == DATA_NULL) {
        row->network_mbps = UNKNOWN;
        return;
    }
    row->network_mbps = mbps_of(cell->string);
    if (row->network_mbps == UNKNOWN) {
        cell_fault(session, cell->span, "`network_gbps` is a number with three decimals at most");
    }
}

// One source a line: its key and what the file says it is.
static const char *read_sources(const Family *family, const Data *keys) {
    enum { SOURCES_MAX = 100 }; // of one type; the most today is 9
    Session *session = family->session;
    StrBuf text = { .arena = session->arena };
    if (keys->count == 0) {
        cell_fault(session, keys->span, "a row has a source");
    }
    if (keys->count > SOURCES_MAX) {
        cell_fault(session, keys->span, "a row has %d sources at most", SOURCES_MAX);
        return "";
    }
    for (uint32_t i = 0; i < keys->count; i++) {
        const Data *key = keys->items[i];
        const Data *source =
            key->kind == DATA_STRING ? data_get(family->sources, str_c(session->arena, key->string)) : NULL;
        if (source == NULL || source->kind != DATA_STRING) {
            cell_fault(session, key->span, "the file's `sources` has no such text");
            continue;
        }
        strbuf_add_format(&text, "%s%.*s: %.*s", i == 0 ? "" : "\n", STR_ARG(key->string), STR_ARG(source->string));
    }
    return str_c(session->arena, str_trim(strbuf_str(&text)));
}

bool instance_has_gap(const InstanceRow *row) {
    return row->card_run_count == 0 || row->efa_max == UNKNOWN || row->vcpus == UNKNOWN || row->memory_mib == UNKNOWN ||
           row->architecture == ARCHITECTURE_UNKNOWN;
}

static const char *read_status(Session *session, const Data *cell) {
    static const char *const STATUSES[] = { "current", "retired", "ultraserver-only", "named-only" };
    const int status = cell_word(session, cell, "status", STATUSES, COUNT_OF(STATUSES));
    return status < 0 ? "" : STATUSES[status];
}

// ---- rows ------------------------------------------------------------------------------------------------------

static void check_sums(Session *session, const Data *const *cells, const Cards *cards, const InstanceRow *row) {
    if (row->vcpus != UNKNOWN && row->cores != UNKNOWN && row->threads_per_core != UNKNOWN &&
        row->vcpus != row->cores * row->threads_per_core) {
        cell_fault(session, cells[COLUMN_VCPUS]->span, "%d vCPUs are not %d cores with %d threads", row->vcpus,
                   row->cores, row->threads_per_core);
    }
    int efa_cards = 0;
    for (int i = 0; i < cards->count; i++) {
        efa_cards += (cards->items[i].takes & CARD_EFA) != 0 ? 1 : 0;
    }
    const bool is_off = row->efa_max > efa_cards || (row->efa_max == 0 && efa_cards > 0);
    if (row->efa_max != UNKNOWN && cards->count > 0 && is_off) {
        cell_fault(session, cells[COLUMN_EFA]->span, "%d EFA interfaces, but %d cards that take one", row->efa_max,
                   efa_cards);
    }
    if (instance_has_gap(row) && cell_is(cells[COLUMN_STATUS], "current")) {
        cell_fault(session, cells[COLUMN_STATUS]->span, "a current type has no null among what a node is built from");
    }
}

static void read_row(const Family *family, const DataEntry *entry, ReadInstances *rows) {
    Session *session = family->session;
    const Str name = entry->key;
    if (!str_starts_with(name, str_format(session->arena, "%.*s.", STR_ARG(family->name)))) {
        cell_fault(session, entry->key_span, "`%.*s` is not of the family `%.*s`", STR_ARG(name),
                   STR_ARG(family->name));
        return;
    }
    const Data *cells[COLUMN_COUNT];
    Cards cards;
    if (!cells_read(session, name, entry->key_span, entry->value, family->common, INSTANCE_COLUMNS, COLUMN_COUNT,
                    cells)) {
        return;
    }
    const int64_t network_cards = cell_int(session, cells[COLUMN_NETWORK_CARDS], "network cards", 1, CARDS_MAX);
    if (!cards_read(session, cells[COLUMN_CARDS], network_cards, &cards)) {
        return;
    }
    InstanceRow *row = arena_new(session->arena, InstanceRow);
    *row = (InstanceRow){ .name = str_c(session->arena, name),
                          .family = str_c(session->arena, family->name),
                          .network_cards = (int)network_cards,
                          .placement_cluster = truth_of(cells[COLUMN_PLACEMENT_CLUSTER]),
                          .status = read_status(session, cells[COLUMN_STATUS]),
                          .sources = read_sources(family, cells[COLUMN_SOURCES]),
                          .only_zone = cell_string(session, cells[COLUMN_ONLY_ZONE]),
                          .note = cell_string(session, cells[COLUMN_NOTE]),
                          .unverified = cell_string(session, cells[COLUMN_UNVERIFIED]) };
    read_processor(session, cells, row);
    read_accelerator(session, name, cells[COLUMN_ACCELERATOR], row);
    read_driver(session, name, cells[COLUMN_DRIVER], row);
    cards_put(session->arena, &cards, row);
    read_network(session, cells[COLUMN_NETWORK_GBPS], row);
    read_efa(session, name, cells[COLUMN_EFA], row);
    read_nvme(session, name, cells[COLUMN_NVME], row);
    read_capacity(session, cells[COLUMN_CAPACITY], row);
    read_sale(session, cells[COLUMN_UNPRICED], cells[COLUMN_ULTRASERVER], row);
    layouts_read(session, cells[COLUMN_LAYOUTS], family->sources, &cards, row);
    check_sums(session, cells, &cards, row);
    vec_push(session->arena, rows, (ReadInstance){ .row = row, .span = entry->key_span });
}

void rows_read(Session *session, const Data *file, ReadInstances *rows) {
    enum { FAMILY, SOURCES, COMMON, TYPES, FILE_COLUMN_COUNT };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [FAMILY] = { "family", CELL_TEXT },
        [SOURCES] = { "sources", CELL_MAP },
        [COMMON] = { "common", CELL_MAP | CELL_OPTIONAL },
        [TYPES] = { "types", CELL_MAP },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    if (!cells_read(session, STR("the file"), file->span, file, NULL, FILE_COLUMNS, FILE_COLUMN_COUNT, cells)) {
        return;
    }
    const Family family = {
        .session = session, .name = cells[FAMILY]->string, .sources = cells[SOURCES], .common = cells[COMMON]
    };
    if (family.common != NULL) {
        cells_check_keys(session, STR("`common`"), family.common, INSTANCE_COLUMNS, COLUMN_COUNT);
    }
    for (uint32_t i = 0; i < cells[TYPES]->count; i++) {
        read_row(&family, &cells[TYPES]->entries[i], rows);
    }
}
