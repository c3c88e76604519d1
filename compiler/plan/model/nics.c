// From a row of the schema to the interfaces that a launch declares. The rule is that of the EC2 User Guide
// (docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-acc-inst-types.html, 2026-11). The primary stands at card 0, device
// 0, and has an address. A card takes one EFA at most. Cards are filled from 0 on. A layout that follows from no rule
// is a row of the schema and is copied.
#include "compiler/plan/model/nics.h"

#include "schema/names.h"

static bool takes(const CardRun *run, CardCapability capability) {
    return (run->takes & capability) != 0;
}

static const LayoutRow *find_row(const InstanceRow *row, NicLayout layout) {
    for (int i = 0; i < row->layout_count; i++) {
        if (strcmp(row->layouts[i].name, nics_layout_name(layout)) == 0) {
            return &row->layouts[i];
        }
    }
    return NULL;
}

// A card 0 that takes EFA but only one interface (hpc6id) has no room for an EFA-only one beside the primary. The
// primary is then a combined one, and min_ip is what all_ip is.
static NicLayout rule_of(const InstanceRow *row, NicLayout layout) {
    const CardRun *first = &row->cards[0];
    const bool is_full = takes(first, CARD_EFA) && first->interfaces_max < 2;
    return layout == LAYOUT_MIN_IP && is_full ? LAYOUT_ALL_IP : layout;
}

// Whether the rule can place EFA on every card that takes it.
static bool has_rule(const InstanceRow *row, NicLayout layout) {
    switch (rule_of(row, layout)) {
    case LAYOUT_MIN_IP:
        return true;
    case LAYOUT_SPARE:
        return !takes(&row->cards[0], CARD_EFA) || takes(&row->cards[0], CARD_ENA);
    case LAYOUT_ALL_IP:
        for (int i = 0; i < row->card_run_count; i++) {
            if (!takes(&row->cards[i], CARD_ENA)) {
                return false; // a combined interface carries both
            }
        }
        return true;
    case LAYOUT_MAX_BANDWIDTH:
        return false;
    }
    assert(false);
    return false;
}

bool nics_has_cards(const InstanceRow *row) {
    return row->card_run_count > 0 && row->cards[0].takes != 0;
}

int nics_efa_all(const InstanceRow *row, NicLayout layout) {
    const LayoutRow *written = find_row(row, layout);
    if (written == NULL) {
        return nics_has_cards(row) && has_rule(row, layout) ? row->efa_max : UNKNOWN;
    }
    int count = 0;
    for (int i = 0; i < written->count; i++) {
        count += written->nics[i].kind == NIC_INTERFACE ? 0 : 1;
    }
    return count;
}

static void add(Nics *nics, int card, int device, NicKind kind) {
    assert(nics->count < NICS_MAX);
    nics->items[nics->count++] = (Nic){ .card = card, .device = device, .kind = kind };
}

static void place_efa(Nics *nics, NicLayout rule, const CardRun *run, int card) {
    if (rule == LAYOUT_ALL_IP) {
        add(nics, card, card == 0 || run->interfaces_max < 2 ? 0 : 1, NIC_EFA);
    } else if (card == 0 && rule == LAYOUT_SPARE) {
        add(nics, 0, 0, NIC_EFA);
    } else if (card == 0) {
        add(nics, 0, 0, NIC_INTERFACE);
        add(nics, 0, 1, NIC_EFA_ONLY);
    } else {
        add(nics, card, 0, NIC_EFA_ONLY);
    }
}

static Nics place_by_rule(const InstanceRow *row, NicLayout rule, int efa) {
    Nics nics = { .count = 0 };
    int placed = 0;
    for (int i = 0; i < row->card_run_count; i++) {
        const CardRun *run = &row->cards[i];
        for (int card = run->first; card < run->first + run->count; card++) {
            if (takes(run, CARD_EFA) && placed < efa) {
                place_efa(&nics, rule, run, card);
                placed++;
            } else if (card == 0) {
                add(&nics, 0, 0, NIC_INTERFACE);
            }
        }
    }
    assert(placed == efa);
    return nics;
}

// The first `efa` EFA interfaces of a layout row, and all its plain ones.
static Nics place_by_row(const LayoutRow *written, int efa) {
    Nics nics = { .count = 0 };
    int placed = 0;
    for (int i = 0; i < written->count; i++) {
        const LayoutNic *nic = &written->nics[i];
        const bool is_efa = nic->kind != NIC_INTERFACE;
        if (!is_efa || placed < efa) {
            add(&nics, nic->card, nic->device, nic->kind);
            placed += is_efa ? 1 : 0;
        }
    }
    return nics;
}

NicsResult nics_place(const InstanceRow *row, NicLayout layout, int efa, Nics *nics) {
    assert(efa >= 0 || efa == UNKNOWN);
    if (efa == 0) { // every instance has a primary interface there
        *nics = (Nics){ .count = 1, .items = { { .card = 0, .device = 0, .kind = NIC_INTERFACE } } };
        return NICS_PLACED;
    }
    if (!nics_has_cards(row)) {
        return NICS_UNKNOWN;
    }
    const LayoutRow *written = find_row(row, layout);
    if (written == NULL && !has_rule(row, layout)) {
        return NICS_NO_LAYOUT;
    }
    const int all = nics_efa_all(row, layout);
    if (all == UNKNOWN || efa == UNKNOWN) {
        return NICS_UNKNOWN;
    }
    if (efa > all) {
        return NICS_TOO_MANY;
    }
    if (layout == LAYOUT_MAX_BANDWIDTH && efa < all) {
        return NICS_NO_LAYOUT; // its plain interfaces go with the EFA ones beside them
    }
    *nics = written != NULL ? place_by_row(written, efa) : place_by_rule(row, rule_of(row, layout), efa);
    return NICS_PLACED;
}

bool nics_pass(const char *target, const Nics *nics) {
    const bool takes_efa_only = !names_have(NAMES_TARGETS_WITHOUT_EFA_ONLY, str_of(target));
    for (int i = 0; i < nics->count && !takes_efa_only; i++) {
        if (nics->items[i].kind == NIC_EFA_ONLY) {
            return false;
        }
    }
    return true;
}

NicLayout nics_layout_on(const char *target) {
    return names_have(NAMES_TARGETS_WITHOUT_EFA_ONLY, str_of(target)) ? LAYOUT_ALL_IP : LAYOUT_MIN_IP;
}

const char *nics_layout_name(NicLayout layout) {
    switch (layout) {
    case LAYOUT_MIN_IP:
        return "min_ip";
    case LAYOUT_ALL_IP:
        return "all_ip";
    case LAYOUT_MAX_BANDWIDTH:
        return "max_bandwidth";
    case LAYOUT_SPARE:
        return "auto";
    }
    assert(false);
    return "";
}

NicLayout nics_layout(Str name) {
    return str_is(name, "all_ip")          ? LAYOUT_ALL_IP
           : str_is(name, "max_bandwidth") ? LAYOUT_MAX_BANDWIDTH
                                           : LAYOUT_MIN_IP;
}

const char *nic_kind_name(NicKind kind) {
    switch (kind) {
    case NIC_INTERFACE:
        return "interface";
    case NIC_EFA:
        return "efa";
    case NIC_EFA_ONLY:
        return "efa-only";
    }
    assert(false);
    return "";
}

int nics_private_ips(const Nics *nics) {
    int count = 0;
    for (int i = 0; i < nics->count; i++) {
        count += nics->items[i].kind == NIC_EFA_ONLY ? 0 : 1;
    }
    return count;
}

// Each container of a multi-node job on AWS Batch has an interface of its own (AWS Batch User Guide, Compute environment
// considerations for MNP), and an interface goes to card 0 where nobody names another (EC2 API Reference,
// AttachNetworkInterface; both read 2026-11).
bool nics_fill_card(const InstanceRow *row, int on_card) {
    return row->card_run_count > 0 && row->cards[0].interfaces_max > 1 && on_card >= row->cards[0].interfaces_max;
}

bool nics_min_ip_fills_card(const InstanceRow *row) {
    return row->card_run_count > 0 && takes(&row->cards[0], CARD_EFA) && nics_fill_card(row, 2) &&
           find_row(row, LAYOUT_MIN_IP) == NULL;
}

// "p" of p6-b200: what stands before the first digit.
static Str series_of(const InstanceRow *row) {
    const Str family = str_of(row->family);
    size_t end = 0;
    while (end < family.len && (family.data[end] < '0' || family.data[end] > '9')) {
        end++;
    }
    return str_slice(family, 0, end);
}

bool nics_efa_is_default(const InstanceRow *row) {
    return row->network_cards > 1 || names_have(NAMES_EFA_SERIES, series_of(row));
}

bool nics_efa_is_the_point(const InstanceRow *row) {
    return row->efa_max >= 2 && nics_efa_is_default(row);
}
