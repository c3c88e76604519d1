// schema/instances/<family>.yaml -> INSTANCE_ROWS, sorted by name over all families. What a row means is known to
// row_instance.c; here it becomes C.
#include "schema/schemagen.h"

#include "compiler/base/diag.h"
#include "schema/row_instance.h"

static void put_number(StrBuf *out, const char *field, int64_t value) {
    if (value == UNKNOWN) {
        put(out, ".%s = UNKNOWN, ", field);
    } else {
        put(out, ".%s = %" PRId64 ", ", field, value);
    }
}

static void put_text(StrBuf *out, const char *field, const char *text) {
    put(out, ".%s = ", field);
    if (text == NULL) {
        put(out, "NULL");
    } else {
        put_string(out, str_of(text));
    }
    put(out, ", ");
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
        put_text(out, "accelerator_vendor", row->accelerator_vendor);
        put_text(out, "accelerator_name", row->accelerator_name);
        put_text(out, "accelerator_share", row->accelerator_share);
        put_number(out, "accelerator_memory_mib", row->accelerator_memory_mib);
        put_number(out, "neuron_cores", row->neuron_cores);
        put(out, ".needs_fabric_manager = %s, ", row->needs_fabric_manager ? "true" : "false");
    }
    put_line_end(out);
}

static void put_takes(StrBuf *out, unsigned takes) {
    put(out, "%s%s%s", (takes & CARD_ENA) != 0 ? "CARD_ENA" : "", takes == (CARD_ENA | CARD_EFA) ? " | " : "",
        (takes & CARD_EFA) != 0 ? "CARD_EFA" : "");
}

static void put_cards(StrBuf *out, const InstanceRow *row) {
    put_number(out, "network_cards", row->network_cards);
    put_number(out, "card_run_count", row->card_run_count);
    if (row->card_run_count > 0) {
        put(out, ".cards = (const CardRun[]){ ");
        for (int i = 0; i < row->card_run_count; i++) {
            const CardRun *run = &row->cards[i];
            put(out, "{ .first = %d, .count = %d, ", run->first, run->count);
            put_number(out, "interfaces_max", run->interfaces_max);
            put(out, ".takes = ");
            put_takes(out, run->takes);
            put(out, " }, ");
        }
        put(out, "}, ");
    }
    put_line_end(out);
}

static void put_network(StrBuf *out, const InstanceRow *row) {
    put_number(out, "network_mbps", row->network_mbps);
    put_number(out, "efa_max", row->efa_max);
    put_text(out, "efa_generation", row->efa_generation);
    put_text(out, "efa_device", row->efa_device);
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

static void put_layouts(StrBuf *out, const InstanceRow *row) {
    static const char *const KINDS[] = {
        [NIC_INTERFACE] = "NIC_INTERFACE",
        [NIC_EFA] = "NIC_EFA",
        [NIC_EFA_ONLY] = "NIC_EFA_ONLY",
    };
    if (row->layout_count == 0) {
        return;
    }
    put_number(out, "layout_count", row->layout_count);
    put(out, ".layouts = (const LayoutRow[]){\n        ");
    for (int i = 0; i < row->layout_count; i++) {
        const LayoutRow *layout = &row->layouts[i];
        put(out, "{ ");
        put_text(out, "name", layout->name);
        put_text(out, "source", layout->source);
        put_number(out, "count", layout->count);
        put(out, "\n          .nics = (const LayoutNic[]){ ");
        for (int j = 0; j < layout->count; j++) {
            const LayoutNic *nic = &layout->nics[j];
            put(out, "{ %d, %d, %s },%s", nic->card, nic->device, KINDS[nic->kind],
                j % 5 == 4 ? "\n            " : " ");
        }
        put(out, "} },");
    }
    put(out, " },");
    put_line_end(out);
}

static void put_row(StrBuf *out, const InstanceRow *row) {
    put(out, "    { ");
    put_text(out, "name", row->name);
    put_text(out, "family", row->family);
    put_processor(out, row);
    put_accelerator(out, row);
    put_cards(out, row);
    put_network(out, row);
    put_offer(out, row);
    put_layouts(out, row);
    put_text(out, "status", row->status);
    put_text(out, "sources", row->sources);
    put_line_end(out);
    put_text(out, "note", row->note);
    put_text(out, "unverified", row->unverified);
    put(out, "},\n");
}

// Marks the offers of a file's types as used before their rows are read, so that a faulty row is no missing one.
static void use_offers(Generator *generator, const Data *types) {
    for (uint32_t i = 0; types != NULL && types->kind == DATA_MAP && i < types->count; i++) {
        Offer *offer = str_map_get(&generator->offers, types->entries[i].key);
        if (offer != NULL) {
            offer->is_used = true;
        }
    }
}

static void read_family(Generator *generator, Str name, ReadInstances *rows) {
    const Data *file = read_file(generator, str_format(generator->arena, "instances/%.*s.yaml", STR_ARG(name)));
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

void generate_instances(Generator *generator) {
    ReadInstances rows = { 0 };
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
        InstanceRow *row = rows.items[i].row;
        const Offer *offer = str_map_get(&generator->offers, str_of(row->name));
        row->offered = offer == NULL ? 0 : offer->regions;
        put_row(out, row);
    }
    put(out, "};\nconst int INSTANCE_ROW_COUNT = %" PRIu32 ";\n\n", rows.count);
    for (size_t i = 0; i < generator->offers.capacity; i++) {
        const Offer *offer = generator->offers.slots[i].value;
        if (offer != NULL && !offer->is_used) {
            cell_fault(generator->session, offer->span, "there is no instance type `%.*s`",
                       STR_ARG(generator->offers.slots[i].key));
        }
    }
}
