// One column of an instance type: whether EC2's description contradicts a row, and the cell as the description has it.
// A cell of several values is merged, so that what EC2 never says (the generation of EFA) stays.
#include "schema/refresh/refresh.h"

static bool is_news(int64_t described, int64_t row) {
    return described != UNKNOWN && described != row;
}

static bool is_other_text(const char *described, const char *row) {
    return described != NULL && (row == NULL || strcmp(described, row) != 0);
}

// ---- differences -----------------------------------------------------------------------------------------------

static bool accelerator_differs(const InstanceRow *described, const InstanceRow *row) {
    if (described->accelerators == UNKNOWN) {
        return false;
    }
    return described->accelerators != row->accelerators ||
           is_other_text(described->accelerator_vendor, row->accelerator_vendor) ||
           is_other_text(described->accelerator_name, row->accelerator_name) ||
           is_news(described->accelerator_memory_mib, row->accelerator_memory_mib) ||
           is_news(described->neuron_cores, row->neuron_cores) ||
           is_other_text(described->accelerator_share, row->accelerator_share);
}

static const CardRun *run_of(const InstanceRow *row, int card) {
    for (int i = 0; i < row->card_run_count; i++) {
        if (card < row->cards[i].first + row->cards[i].count) {
            return &row->cards[i];
        }
    }
    return NULL;
}

static bool cards_differ(const ReadInstance *described, const InstanceRow *row) {
    if (described->row->card_run_count == 0) {
        return false;
    }
    if (row->card_run_count == 0 || row->network_cards != described->row->network_cards) {
        return true;
    }
    for (int card = 0; card < row->network_cards; card++) {
        const CardRun *known = run_of(row, card);
        const CardRun *said = run_of(described->row, card);
        if (is_news(said->interfaces_max, known->interfaces_max) ||
            (described->knows_cards && said->takes != known->takes)) {
            return true;
        }
    }
    return false;
}

static bool capacity_differs(const InstanceRow *described, const InstanceRow *row) {
    return is_news(described->capacity_on_demand, row->capacity_on_demand) ||
           is_news(described->capacity_spot, row->capacity_spot) ||
           is_news(described->capacity_block, row->capacity_block);
}

// EC2 states a bandwidth of each card. The sum of several cards is more than some types sustain together (c6in: two
// cards of 200 Gbps, and 200 Gbps of the instance). So it contradicts no other source.
static bool bandwidth_differs(const InstanceRow *described, const InstanceRow *row) {
    return described->network_cards == 1 && is_news(described->network_mbps, row->network_mbps);
}

bool cell_differs(int column, const ReadInstance *read, const InstanceRow *row) {
    const InstanceRow *described = read->row;
    switch (column) {
    case COLUMN_ARCHITECTURE:
        return described->architecture != ARCHITECTURE_UNKNOWN && described->architecture != row->architecture;
    case COLUMN_VCPUS:
        return is_news(described->vcpus, row->vcpus);
    case COLUMN_CORES:
        return is_news(described->cores, row->cores);
    case COLUMN_THREADS_PER_CORE:
        return is_news(described->threads_per_core, row->threads_per_core);
    case COLUMN_MEMORY_MIB:
        return is_news(described->memory_mib, row->memory_mib);
    case COLUMN_ACCELERATOR:
        return accelerator_differs(described, row);
    case COLUMN_NETWORK_GBPS:
        return bandwidth_differs(described, row);
    case COLUMN_NETWORK_CARDS:
        return is_news(described->network_cards, row->network_cards);
    case COLUMN_CARDS:
        return cards_differ(read, row);
    case COLUMN_EFA:
        return is_news(described->efa_max, row->efa_max);
    case COLUMN_NVME:
        return is_news(described->nvme_count, row->nvme_count) || is_news(described->nvme_total_gb, row->nvme_total_gb);
    case COLUMN_PLACEMENT_CLUSTER:
        return is_news(described->placement_cluster, row->placement_cluster);
    case COLUMN_CAPACITY:
        return capacity_differs(described, row);
    default:
        assert(false);
        return false;
    }
}

// ---- cells -----------------------------------------------------------------------------------------------------

static void put_number(StrBuf *out, int64_t number) {
    if (number == UNKNOWN) {
        strbuf_add(out, STR("null"));
    } else {
        strbuf_add_format(out, "%" PRId64, number);
    }
}

static void put_truth(StrBuf *out, int truth) {
    strbuf_add(out, truth == UNKNOWN ? STR("null") : truth == 1 ? STR("true") : STR("false"));
}

static void put_gbps(StrBuf *out, int mbps) {
    if (mbps == UNKNOWN) {
        strbuf_add(out, STR("null"));
        return;
    }
    strbuf_add_format(out, "%d", mbps / 1000);
    if (mbps % 1000 != 0) {
        strbuf_add_format(out, ".%03d", mbps % 1000);
        while (out->data[out->len - 1] == '0') {
            out->len--;
        }
    }
}

static void put_accelerator(StrBuf *out, const InstanceRow *described, const InstanceRow *row) {
    if (described->accelerators <= 0 && described->accelerator_share == NULL) {
        strbuf_add(out, described->accelerators == 0 ? STR("none") : STR("null"));
        return;
    }
    strbuf_add_format(out, "{ vendor: %s, name: %s, count: %d, memory_mib: ", described->accelerator_vendor,
                      described->accelerator_name, described->accelerators);
    const bool is_known = described->accelerator_memory_mib != UNKNOWN || row == NULL;
    put_number(out, is_known ? described->accelerator_memory_mib : row->accelerator_memory_mib);
    if (described->accelerator == ACCELERATOR_NEURON) {
        strbuf_add(out, STR(", neuron_cores: "));
        put_number(out,
                   described->neuron_cores == UNKNOWN && row != NULL ? row->neuron_cores : described->neuron_cores);
    }
    if (described->accelerator_share != NULL) {
        strbuf_add_format(out, ", share: %s", described->accelerator_share);
    }
    strbuf_add_format(out, "%s }", row != NULL && row->needs_fabric_manager ? ", fabric_manager: true" : "");
}

// The kinds that a card takes where EC2 does not say are those of the row, where it has as many cards.
static unsigned takes_at(const ReadInstance *described, const InstanceRow *row, int card) {
    const bool is_rows = !described->knows_cards && row != NULL && row->card_run_count > 0 &&
                         row->network_cards == described->row->network_cards;
    return run_of(is_rows ? row : described->row, card)->takes;
}

static void put_cards(StrBuf *out, const ReadInstance *described, const InstanceRow *row) {
    const InstanceRow *said = described->row;
    if (said->card_run_count == 0 || takes_at(described, row, 0) == 0) {
        strbuf_add(out, STR("null"));
        return;
    }
    for (int card = 0, last; card < said->network_cards; card = last + 1) {
        const unsigned takes = takes_at(described, row, card);
        const int interfaces = run_of(said, card)->interfaces_max;
        for (last = card; last + 1 < said->network_cards && takes_at(described, row, last + 1) == takes &&
                          run_of(said, last + 1)->interfaces_max == interfaces;) {
            last++;
        }
        strbuf_add_format(out, card == 0 ? "[{ at: %d" : ", { at: %d", card);
        if (last > card) {
            strbuf_add_format(out, "..%d", last);
        }
        strbuf_add(out, STR(", interfaces: "));
        put_number(out, interfaces);
        strbuf_add_format(out, ", takes: [%s%s%s] }", (takes & CARD_ENA) != 0 ? "ena" : "",
                          takes == (CARD_ENA | CARD_EFA) ? ", " : "", (takes & CARD_EFA) != 0 ? "efa" : "");
    }
    strbuf_add_char(out, ']');
}

static void put_efa(StrBuf *out, const InstanceRow *described, const InstanceRow *row) {
    if (described->efa_max == UNKNOWN || described->efa_max == 0) {
        strbuf_add(out, described->efa_max == 0 ? STR("none") : STR("null"));
        return;
    }
    const bool has_efa = row != NULL && row->efa_max != 0;
    strbuf_add_format(out, "{ max: %d, generation: %s, gbps: ", described->efa_max,
                      has_efa && row->efa_generation != NULL ? row->efa_generation : "null");
    put_number(out, has_efa ? row->efa_gbps : UNKNOWN);
    strbuf_add(out, STR(", rdma_read: "));
    put_truth(out, has_efa ? row->rdma_read : UNKNOWN);
    strbuf_add(out, STR(", rdma_write: "));
    put_truth(out, has_efa ? row->rdma_write : UNKNOWN);
    strbuf_add_format(out, "%s%s }", has_efa && row->efa_device != NULL ? ", device: " : "",
                      has_efa && row->efa_device != NULL ? row->efa_device : "");
}

static void put_nvme(StrBuf *out, const InstanceRow *described) {
    if (described->nvme_count == UNKNOWN || described->nvme_total_gb == UNKNOWN || described->nvme_count == 0) {
        strbuf_add(out, described->nvme_count == 0 ? STR("none") : STR("null"));
        return;
    }
    strbuf_add_format(out, "{ count: %d, total_gb: %" PRId64 " }", described->nvme_count, described->nvme_total_gb);
}

static void put_capacity(StrBuf *out, const InstanceRow *described) {
    static const char *const KINDS[] = { "on_demand", "spot", "block" };
    const int facts[COUNT_OF(KINDS)] = { described->capacity_on_demand, described->capacity_spot,
                                         described->capacity_block };
    const size_t start = out->len;
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        if (facts[i] == 1) {
            strbuf_add_format(out, "%s%s", out->len == start ? "[" : ", ", KINDS[i]);
        }
    }
    strbuf_add(out, out->len == start ? STR("null") : STR("]"));
}

Str cell_of(Arena *arena, int column, const ReadInstance *read, const InstanceRow *row) {
    const InstanceRow *described = read->row;
    StrBuf out = { .arena = arena };
    switch (column) {
    case COLUMN_ARCHITECTURE:
        strbuf_add(&out, described->architecture == ARCHITECTURE_UNKNOWN
                             ? STR("null")
                             : str_of(schema_architecture_name(described->architecture)));
        break;
    case COLUMN_VCPUS:
        put_number(&out, described->vcpus);
        break;
    case COLUMN_CORES:
        put_number(&out, described->cores);
        break;
    case COLUMN_THREADS_PER_CORE:
        put_number(&out, described->threads_per_core);
        break;
    case COLUMN_MEMORY_MIB:
        put_number(&out, described->memory_mib);
        break;
    case COLUMN_ACCELERATOR:
        put_accelerator(&out, described, row);
        break;
    case COLUMN_NETWORK_GBPS:
        put_gbps(&out, described->network_cards > 1 ? UNKNOWN : described->network_mbps);
        break;
    case COLUMN_NETWORK_CARDS:
        put_number(&out, described->network_cards);
        break;
    case COLUMN_CARDS:
        put_cards(&out, read, row);
        break;
    case COLUMN_EFA:
        put_efa(&out, described, row);
        break;
    case COLUMN_NVME:
        put_nvme(&out, described);
        break;
    case COLUMN_PLACEMENT_CLUSTER:
        put_truth(&out, described->placement_cluster);
        break;
    case COLUMN_CAPACITY:
        put_capacity(&out, described);
        break;
    default:
        assert(false);
    }
    return strbuf_str(&out);
}
