// Turns a row of the schema into a sheet of facts. A fact without a source is shown as unknown; nothing is guessed.
#include "compiler/driver/command/instance_text.h"

#include "compiler/driver/output/print.h"
#include "compiler/plan/model/nics.h"
#include "schema/instances.h"

enum { SHEET_LABEL_WIDTH = 19, MIB_PER_GIB = 1024 };

static void add_fact(StrBuf *out, const char *label, Str text) {
    Str left = str_format(out->arena, "  %-*s", SHEET_LABEL_WIDTH - 3, label);
    print_labelled(out, left, SHEET_LABEL_WIDTH, text);
}

// One fact a line, each below the other.
static void add_lines(StrBuf *out, const char *label, Str lines) {
    for (size_t start = 0; start < lines.len;) {
        const size_t end = str_find(lines, STR("\n"), start);
        add_fact(out, start == 0 ? label : "", str_slice(lines, start, end));
        start = end + 1;
    }
}

Str instance_memory(Arena *arena, int64_t mib) {
    if (mib == UNKNOWN) {
        return STR("?");
    }
    return mib % MIB_PER_GIB == 0 ? str_format(arena, "%" PRId64 " GiB", mib / MIB_PER_GIB)
                                  : str_format(arena, "%" PRId64 " MiB", mib);
}

Str instance_nvme(Arena *arena, const InstanceRow *row) {
    if (row->nvme_count == UNKNOWN) {
        return STR("?");
    }
    if (row->nvme_count == 0) {
        return STR("-");
    }
    if (row->nvme_total_gb == UNKNOWN) {
        return str_format(arena, "%d x ?", row->nvme_count);
    }
    return str_format(arena, "%d x %" PRId64 " GB", row->nvme_count, row->nvme_total_gb / row->nvme_count);
}

Str instance_gbps(Arena *arena, int mbps) {
    if (mbps == UNKNOWN) {
        return STR("?");
    }
    Str text = str_format(arena, "%d.%03d", mbps / 1000, mbps % 1000);
    while (str_ends_with(text, STR("0"))) {
        text = str_slice(text, 0, text.len - 1);
    }
    return str_ends_with(text, STR(".")) ? str_slice(text, 0, text.len - 1) : text;
}

Str instance_accelerators(Arena *arena, const InstanceRow *row) {
    if (row->accelerator_share != NULL) {
        return str_format(arena, "%s %s", row->accelerator_share, row->accelerator_name);
    }
    if (row->accelerators == UNKNOWN) {
        return STR("?");
    }
    return row->accelerators == 0 ? STR("-") : str_format(arena, "%d x %s", row->accelerators, row->accelerator_name);
}

Str instance_origin(Arena *arena, const InstanceRow *row) {
    if (row->origin == NULL) {
        return STR_NONE;
    }
    const bool is_new = !schema_has_own(str_of(row->name));
    return str_format(arena, "%s%s", row->origin, is_new ? "" : ", in place of dtc's own");
}

static Str cpu_text(Arena *arena, const InstanceRow *row) {
    if (row->vcpus == UNKNOWN) {
        return STR("unknown");
    }
    StrBuf text = { .arena = arena };
    strbuf_add_format(&text, "%d", row->vcpus);
    if (row->cores != UNKNOWN && row->threads_per_core != UNKNOWN) {
        strbuf_add_format(&text, ", as %d core%s of %d thread%s", row->cores, row->cores == 1 ? "" : "s",
                          row->threads_per_core, row->threads_per_core == 1 ? "" : "s");
    }
    return strbuf_str(&text);
}

static Str accelerator_text(Arena *arena, const InstanceRow *row) {
    StrBuf text = { .arena = arena };
    if (row->accelerator_share != NULL) {
        strbuf_add_format(&text, "%s of a %s %s", row->accelerator_share, row->accelerator_vendor,
                          row->accelerator_name);
    } else if (row->accelerators > 0) {
        strbuf_add_format(&text, "%d x %s %s", row->accelerators, row->accelerator_vendor, row->accelerator_name);
    } else {
        return row->accelerators == UNKNOWN ? STR("unknown") : STR("none");
    }
    if (row->accelerator_memory_mib > 0) {
        strbuf_add_format(&text, ", %.*s%s", STR_ARG(instance_memory(arena, row->accelerator_memory_mib)),
                          row->accelerators > 1 ? " each" : "");
    }
    if (row->neuron_cores > 0) {
        strbuf_add_format(&text, ", %d NeuronCore%s%s", row->neuron_cores, row->neuron_cores == 1 ? "" : "s",
                          row->accelerators > 1 ? " each" : "");
    }
    return strbuf_str(&text);
}

static const char *capability_text(unsigned takes) {
    switch (takes) {
    case CARD_ENA:
        return "ENA";
    case CARD_EFA:
        return "EFA";
    case CARD_ENA | CARD_EFA:
        return "ENA and EFA";
    default: // a set of bits, not an enumeration
        return "unknown whether EFA";
    }
}

// "card 0", "cards 1-31".
static Str cards_text(Arena *arena, int first, int count) {
    return count == 1 ? str_format(arena, "card %d", first)
                      : str_format(arena, "cards %d-%d", first, first + count - 1);
}

static void add_cards(StrBuf *out, const InstanceRow *row) {
    if (row->network_cards == UNKNOWN) {
        add_fact(out, "network cards", STR("unknown"));
        return;
    }
    add_fact(out, "network cards", str_format(out->arena, "%d", row->network_cards));
    for (int i = 0; i < row->card_run_count; i++) {
        const CardRun *run = &row->cards[i];
        Str amount = run->interfaces_max == UNKNOWN
                         ? STR("an unknown number of interfaces")
                         : str_format(out->arena, "%d interface%s%s", run->interfaces_max,
                                      run->interfaces_max == 1 ? "" : "s", run->count > 1 ? " each" : "");
        add_fact(out, "",
                 str_format(out->arena, "%.*s: %.*s, %s", STR_ARG(cards_text(out->arena, run->first, run->count)),
                            STR_ARG(amount), capability_text(run->takes)));
    }
}

static const char *known_text(int fact) {
    return fact == UNKNOWN ? "unknown" : fact != 0 ? "yes" : "no";
}

static Str efa_text(Arena *arena, const InstanceRow *row) {
    if (row->efa_max <= 0) {
        return row->efa_max == UNKNOWN ? STR("unknown") : STR("none");
    }
    StrBuf text = { .arena = arena };
    strbuf_add_format(&text, "%d interface%s", row->efa_max, row->efa_max == 1 ? "" : "s");
    if (row->efa_generation != NULL) {
        strbuf_add_format(&text, ", %s", row->efa_generation);
    }
    if (row->efa_device != NULL) {
        strbuf_add_format(&text, ", PCI device 1d0f:%s", row->efa_device);
    }
    if (row->efa_gbps > 0) {
        strbuf_add_format(&text, ", %d Gbps", row->efa_gbps);
    }
    strbuf_add_format(&text, "; RDMA read: %s, write: %s", known_text(row->rdma_read), known_text(row->rdma_write));
    return strbuf_str(&text);
}

static Str capacity_text(Arena *arena, const InstanceRow *row) {
    return str_format(arena, "on demand: %s, Spot: %s, capacity blocks: %s", known_text(row->capacity_on_demand),
                      known_text(row->capacity_spot), known_text(row->capacity_block));
}

// Rows of interfaces that differ by their card alone are one line.
static void print_nics(StrBuf *out, const Nics *nics) {
    Table table = { .arena = out->arena, .columns = 3 };
    for (int i = 0; i < nics->count;) {
        const Nic *nic = &nics->items[i];
        int run = 1;
        while (i + run < nics->count && nics->items[i + run].card == nic->card + run &&
               nics->items[i + run].device == nic->device && nics->items[i + run].kind == nic->kind) {
            run++;
        }
        table_add(&table, cards_text(out->arena, nic->card, run));
        table_add_format(&table, "device %d", nic->device);
        table_add(&table, str_of(nic_kind_name(nic->kind)));
        i += run;
    }
    table_print(&table, out, 4);
}

static void print_layout(StrBuf *out, const InstanceRow *row, NicLayout layout) {
    const int efa = nics_efa_all(row, layout);
    Nics nics;
    if (efa == UNKNOWN || nics_place(row, layout, efa, &nics) != NICS_PLACED) {
        return; // the type has no such layout
    }
    const int ips = nics_private_ips(&nics);
    strbuf_add_format(out, "\n  efa = all, efa_layout = %s%s: %d EFA, %d interface%s, %d IP address%s\n",
                      nics_layout_name(layout),
                      layout == LAYOUT_SPARE    ? " on batch"
                      : layout == LAYOUT_ALL_IP ? ", `auto` on pcs"
                                                : "",
                      efa, nics.count, nics.count == 1 ? "" : "s", ips, ips == 1 ? "" : "es");
    print_nics(out, &nics);
}

static void print_placement(StrBuf *out, const InstanceRow *row) {
    const char *gap = schema_instance_gap(row);
    if (gap != NULL && schema_is_plain(row) && schema_plain_gap(row) == NULL) {
        strbuf_add_char(out, '\n');
        print_wrapped(
            out,
            str_format(out->arena,
                       "A head of this type can be planned, and a group without EFA that is not on AWS Batch. "
                       "No source says %s, so that no rule looks at it.",
                       gap),
            2);
        return;
    }
    if (gap != NULL) {
        strbuf_add_char(out, '\n');
        print_wrapped(
            out,
            str_format(out->arena,
                       "dtc plans no nodes of this type, for want of one fact that no source gives: %s. It places no "
                       "network interface on a guess, as EC2 refuses a wrong placement only at launch.",
                       gap),
            2);
        return;
    }
    static const NicLayout LAYOUTS[] = { LAYOUT_MIN_IP, LAYOUT_ALL_IP, LAYOUT_MAX_BANDWIDTH };
    for (size_t i = 0; i < COUNT_OF(LAYOUTS); i++) {
        if (row->efa_max > 0 || LAYOUTS[i] == LAYOUT_MIN_IP) {
            print_layout(out, row, LAYOUTS[i]);
        }
    }
    if (row->efa_max > 0 && nics_min_ip_fills_card(row)) {
        print_layout(out, row, LAYOUT_SPARE);
    }
}

// Those of the ways that the type is sold in.
static void add_quotas(StrBuf *out, const InstanceRow *row) {
    static const Market MARKETS[] = { MARKET_ON_DEMAND, MARKET_SPOT, MARKET_BLOCK };
    const char *label = "quotas";
    for (size_t i = 0; i < COUNT_OF(MARKETS); i++) {
        const QuotaRow *quota = schema_sold(row, MARKETS[i]) == 1 ? schema_quota(row, MARKETS[i]) : NULL;
        if (quota != NULL) {
            add_fact(out, label, str_format(out->arena, "%s: %s", quota->code, quota->name));
            label = "";
        }
    }
}

static void add_ultraservers(StrBuf *out, const InstanceRow *row) {
    StrBuf text = { .arena = out->arena };
    for (int i = 0; row->ultraserver_sizes[i] > 0; i++) {
        strbuf_add_format(&text, "%s%d", i == 0 ? "" : " or ", row->ultraserver_sizes[i]);
    }
    if (text.len > 0) {
        add_fact(out, "UltraServer", str_format(out->arena, "of %.*s such instances", STR_ARG(strbuf_str(&text))));
    }
}

static void add_driver(StrBuf *out, const InstanceRow *row) {
    if (row->driver_first > 0) {
        add_fact(out, "NVIDIA driver", str_format(out->arena, "%d or later", row->driver_first));
    } else if (row->driver_last > 0) {
        add_fact(out, "NVIDIA driver", str_format(out->arena, "%d or earlier", row->driver_last));
    }
}

void instance_sheet(StrBuf *out, const InstanceRow *row) {
    Arena *arena = out->arena;
    strbuf_add_format(out, "%s\n", row->name);
    add_fact(out, "architecture", str_of(schema_architecture_name(row->architecture)));
    add_fact(out, "vCPUs", cpu_text(arena, row));
    add_fact(out, "memory", row->memory_mib == UNKNOWN ? STR("unknown") : instance_memory(arena, row->memory_mib));
    add_fact(out, "accelerators", accelerator_text(arena, row));
    add_driver(out, row);
    add_fact(out, "network",
             row->network_mbps == UNKNOWN
                 ? STR("unknown")
                 : str_format(arena, "%.*s Gbps", STR_ARG(instance_gbps(arena, row->network_mbps))));
    add_cards(out, row);
    add_fact(out, "EFA", efa_text(arena, row));
    const Str nvme = instance_nvme(arena, row);
    add_fact(out, "local NVMe", str_is(nvme, "?") ? STR("unknown") : str_is(nvme, "-") ? STR("none") : nvme);
    add_fact(out, "capacity", capacity_text(arena, row));
    add_ultraservers(out, row);
    if (row->only_zone != NULL) {
        add_fact(out, "zone", str_format(arena, "%s alone", row->only_zone));
    }
    add_quotas(out, row);
    add_fact(out, "placement group", str_of(known_text(row->placement_cluster)));
    add_fact(out, "status", str_of(row->status));
    if (row->origin != NULL) {
        add_fact(out, "row", instance_origin(arena, row));
    }
    add_lines(out, "sources", str_of(row->sources));
    if (row->note != NULL) {
        add_fact(out, "note", str_of(row->note));
    }
    if (row->unverified != NULL) {
        add_fact(out, "unverified", str_of(row->unverified));
    }
    print_placement(out, row);
}
