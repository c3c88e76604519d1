// schema/instances/<family>.yaml -> STORED_INSTANCES, sorted by name over all families. What a row means is known to
// row_instance.c; here it becomes C, and what a row would point to goes into tables beside it.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"
#include "schema/row_instance.h"

typedef struct {
    StrBuf rows;
    StrBuf texts; // literals, one behind the other
    StrMap known; // a text -> TextStart
    uint32_t text_bytes;
    StrBuf cards;
    uint32_t card_count;
    StrBuf layouts;
    uint32_t layout_count;
} Tables;

typedef struct {
    uint32_t value;
} TextStart;

static void put_number(StrBuf *out, const char *field, int64_t value) {
    if (value == UNKNOWN) {
        put(out, ".%s = UNKNOWN, ", field);
    } else {
        put(out, ".%s = %" PRId64 ", ", field, value);
    }
}

// As a literal, of what has few rows.
static void put_text(StrBuf *out, const char *field, const char *text) {
    put(out, ".%s = ", field);
    if (text == NULL) {
        put(out, "NULL");
    } else {
        put_string(out, str_of(text));
    }
    put(out, ", ");
}

// Where a text begins among all of them, each of which is there once.
static uint32_t text_start(Tables *tables, const char *text) {
    const TextStart *known = str_map_get(&tables->known, str_of(text));
    if (known != NULL) {
        return known->value;
    }
    TextStart *start = arena_new(tables->known.arena, TextStart);
    start->value = tables->text_bytes;
    str_map_add(&tables->known, str_of(text), start);
    put(&tables->texts, "    ");
    put_string(&tables->texts, str_of(text));
    put(&tables->texts, " \"\\0\"\n");
    tables->text_bytes += (uint32_t)strlen(text) + 1;
    return start->value;
}

static void put_line_end(StrBuf *out) {
    put(out, "\n      ");
}

static void put_processor(StrBuf *out, const InstanceRow *row) {
    static const char *const ARCHITECTURES[] = {
        [ARCHITECTURE_X86_64] = "ARCHITECTURE_X86_64",
        [ARCHITECTURE_ARM64] = "ARCHITECTURE_ARM64",
        [ARCHITECTURE_UNKNOWN] = "ARCHITECTURE_UNKNOWN",
    };
    put(out, ".architecture = %s, ", ARCHITECTURES[row->architecture]);
    put_number(out, "vcpus", row->vcpus);
    put_number(out, "cores", row->cores);
    put_number(out, "threads_per_core", row->threads_per_core);
    put_number(out, "memory_mib", row->memory_mib);
    put_line_end(out);
}

static void put_accelerator(StrBuf *out, const InstanceRow *row) {
    static const char *const KINDS[] = {
        [ACCELERATOR_NONE] = "ACCELERATOR_NONE",
        [ACCELERATOR_NVIDIA] = "ACCELERATOR_NVIDIA",
        [ACCELERATOR_NEURON] = "ACCELERATOR_NEURON",
        [ACCELERATOR_OTHER] = "ACCELERATOR_OTHER",
    };
    put_number(out, "accelerators", row->accelerators);
    if (row->accelerator != ACCELERATOR_NONE) {
        put(out, ".accelerator = %s, ", KINDS[row->accelerator]);
        put_number(out, "accelerator_memory_mib", row->accelerator_memory_mib);
        put_number(out, "neuron_cores", row->neuron_cores);
        put_number(out, "driver_first", row->driver_first);
        put_number(out, "driver_last", row->driver_last);
        put(out, ".needs_fabric_manager = %s, ", row->needs_fabric_manager ? "true" : "false");
    }
    put_line_end(out);
}

static void put_takes(StrBuf *out, unsigned takes) {
    put(out, "%s%s%s", (takes & CARD_ENA) != 0 ? "CARD_ENA" : "", takes == (CARD_ENA | CARD_EFA) ? " | " : "",
        (takes & CARD_EFA) != 0 ? "CARD_EFA" : "");
}

static void put_cards(Tables *tables, const InstanceRow *row) {
    put_number(&tables->rows, "network_cards", row->network_cards);
    put_number(&tables->rows, "card_run_count", row->card_run_count);
    put_line_end(&tables->rows);
    StrBuf *out = &tables->cards;
    for (int i = 0; i < row->card_run_count; i++) {
        const CardRun *run = &row->cards[i];
        put(out, "    { .first = %d, .count = %d, ", run->first, run->count);
        put_number(out, "interfaces_max", run->interfaces_max);
        put(out, ".takes = ");
        put_takes(out, run->takes);
        put(out, " },\n");
    }
}

static void put_network(StrBuf *out, const InstanceRow *row) {
    put_number(out, "network_mbps", row->network_mbps);
    put_number(out, "efa_max", row->efa_max);
    put_number(out, "efa_gbps", row->efa_gbps);
    put_number(out, "rdma_read", row->rdma_read);
    put_number(out, "rdma_write", row->rdma_write);
    put_line_end(out);
}

static void put_offer(StrBuf *out, const InstanceRow *row) {
    put_number(out, "nvme_count", row->nvme_count);
    put_number(out, "nvme_total_gb", row->nvme_total_gb);
    put_number(out, "placement_cluster", row->placement_cluster);
    put_number(out, "capacity_on_demand", row->capacity_on_demand);
    put_number(out, "capacity_spot", row->capacity_spot);
    put_number(out, "capacity_block", row->capacity_block);
    put(out, ".is_unpriced = %s, .ultraserver_sizes = { ", row->is_unpriced ? "true" : "false");
    for (int i = 0; row->ultraserver_sizes[i] != 0; i++) {
        put(out, "%d, ", row->ultraserver_sizes[i]);
    }
    put(out, "0 }, .offered = UINT64_C(0x%" PRIx64 "),", row->offered);
    put_line_end(out);
}

static void put_layouts(Tables *tables, const InstanceRow *row) {
    static const char *const KINDS[] = {
        [NIC_INTERFACE] = "NIC_INTERFACE",
        [NIC_EFA] = "NIC_EFA",
        [NIC_EFA_ONLY] = "NIC_EFA_ONLY",
    };
    put_number(&tables->rows, "layout_count", row->layout_count);
    StrBuf *out = &tables->layouts;
    for (int i = 0; i < row->layout_count; i++) {
        const LayoutRow *layout = &row->layouts[i];
        put(out, "    { ");
        put_text(out, "name", layout->name);
        put_text(out, "source", layout->source);
        put_number(out, "count", layout->count);
        put(out, "\n      .nics = (const LayoutNic[]){ ");
        for (int j = 0; j < layout->count; j++) {
            const LayoutNic *nic = &layout->nics[j];
            put(out, "{ %d, %d, %s },%s", nic->card, nic->device, KINDS[nic->kind], j % 5 == 4 ? "\n        " : " ");
        }
        put(out, "} },\n");
    }
}

static void put_row(Tables *tables, const InstanceRow *row) {
    StrBuf *out = &tables->rows;
    put(out, "    { .row = { // %s\n      ", row->name);
    put_processor(out, row);
    put_accelerator(out, row);
    put_cards(tables, row);
    put_network(out, row);
    put_offer(out, row);
    put_layouts(tables, row);
    put(out, "}, ");
#define TEXT(field) put_number(out, #field, row->field == NULL ? 0 : text_start(tables, row->field));
    INSTANCE_ROW_TEXTS(TEXT)
#undef TEXT
    put_number(out, "cards", tables->card_count);
    put_number(out, "layouts", tables->layout_count);
    put(out, "},\n");
    tables->card_count += (uint32_t)row->card_run_count;
    tables->layout_count += (uint32_t)row->layout_count;
}

// Marks the offers of a file's types as used before their rows are read, so that a faulty row is no missing one.
static void use_offers(Generator *generator, const Data *types) {
    for (uint32_t i = 0; types != NULL && types->kind == DATA_MAP && i < types->count; i++) {
        Offer *offer = str_map_get_mutable(&generator->offers, types->entries[i].key);
        if (offer != NULL) {
            offer->is_used = true;
        }
    }
}

static void read_family(Generator *generator, Str name, ReadInstances *rows) {
    const Data *file = read_table(generator, str_format(generator->arena, "instances/%.*s.yaml", STR_ARG(name)));
    const Data *family = data_get(file, "family");
    if (file == NULL) {
        return;
    }
    if (family != NULL && family->kind == DATA_STRING && !str_equal(family->string, name)) {
        cell_fault(generator->session, family->span, "the file's name says `%.*s`", STR_ARG(name));
        return;
    }
    use_offers(generator, data_get(file, "types"));
    rows_read(generator->session, file, rows);
}

static int compare_rows(const void *a, const void *b) {
    return strcmp(((const ReadInstance *)a)->row->name, ((const ReadInstance *)b)->row->name);
}

static void write_tables(Generator *generator, const ReadInstances *rows) {
    Arena *arena = generator->arena;
    Tables tables = {
        .rows = { .arena = arena },
        .texts = { .arena = arena },
        .known = { .arena = arena },
        .text_bytes = 1, // 0 is no text
        .cards = { .arena = arena },
        .layouts = { .arena = arena },
    };
    for (uint32_t i = 0; i < rows->count; i++) {
        InstanceRow *row = rows->items[i].row;
        const Offer *offer = str_map_get_mutable(&generator->offers, str_of(row->name));
        row->offered = offer == NULL ? 0 : offer->regions;
        put_row(&tables, row);
    }
    StrBuf *out = &generator->tables;
    put(out, "const char INSTANCE_TEXTS[] = \"\\0\"\n");
    strbuf_add(out, strbuf_str(&tables.texts));
    put(out, ";\n\nconst CardRun INSTANCE_CARDS[] = {\n");
    strbuf_add(out, strbuf_str(&tables.cards));
    put(out, "};\n\nconst LayoutRow INSTANCE_LAYOUTS[] = {\n");
    strbuf_add(out, strbuf_str(&tables.layouts));
    put(out, "};\n\nconst StoredInstance STORED_INSTANCES[] = {\n");
    strbuf_add(out, strbuf_str(&tables.rows));
    put(out, "};\nconst int INSTANCE_ROW_COUNT = %" PRIu32 ";\n\n", rows->count);
}

void generate_instances(Generator *generator) {
    ReadInstances rows = { 0 };
    const Names families = list_files(generator, "instances", ".yaml");
    for (uint32_t i = 0; i < families.count; i++) {
        read_family(generator, families.items[i], &rows);
    }
    if (rows.count > 1) {
        qsort(rows.items, rows.count, sizeof(rows.items[0]), compare_rows);
    }
    write_tables(generator, &rows);
    for (size_t i = 0; i < generator->offers.capacity; i++) {
        const Offer *offer = generator->offers.slots[i].value;
        if (offer != NULL && !offer->is_used) {
            cell_fault(generator->session, offer->span, "there is no instance type `%.*s`",
                       STR_ARG(generator->offers.slots[i].key));
        }
    }
}
