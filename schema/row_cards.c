// The network cards of one instance type and the interface layouts that are rows. Cards are written as groups,
//     cards: [{ at: 0, interfaces: 4, takes: [ena] }, { at: 1..16, interfaces: 4, takes: [ena, efa] }]
// with `at` a card, a range or a list of cards; every card stands in one group. A layout lists places, card/device or
// first..last/device, under the kind of interface that stands there.
#include "schema/row_instance.h"

#include "compiler/base/session.h"
#include "schema/row_cells.h"

enum { GROUP_AT, GROUP_INTERFACES, GROUP_TAKES, GROUP_COLUMN_COUNT };

static const Column GROUP_COLUMNS[GROUP_COLUMN_COUNT] = {
    [GROUP_AT] = { "at", CELL_INT | CELL_TEXT | CELL_LIST },
    [GROUP_INTERFACES] = { "interfaces", CELL_INT | CELL_NULL },
    [GROUP_TAKES] = { "takes", CELL_LIST },
};

// "4" or "4..7" from `*offset` on. False where it is none of these, or is no card.
static bool read_range(Str text, size_t *offset, int *first, int *last) {
    *first = read_digits(text, offset);
    *last = *first;
    if (str_starts_with(str_slice(text, *offset, text.len), STR(".."))) {
        *offset += 2;
        *last = read_digits(text, offset);
    }
    return *first >= 0 && *first <= *last && *last < CARDS_MAX;
}

static bool read_at(const Data *at, int *first, int *last) {
    if (at->kind == DATA_INT) {
        *first = at->integer >= 0 && at->integer < CARDS_MAX ? (int)at->integer : -1;
        *last = *first;
        return *first >= 0;
    }
    size_t offset = 0;
    return at->kind == DATA_STRING && read_range(at->string, &offset, first, last) && offset == at->string.len;
}

static bool set_cards(Session *session, const Data *at, const Card *card, Cards *cards) {
    int first;
    int last;
    if (!read_at(at, &first, &last)) {
        cell_fault(session, at->span, "a place is a card such as 0 or a range such as 0..31, below %d", CARDS_MAX);
        return false;
    }
    for (int i = first; i <= last; i++) {
        if (cards->items[i].is_set) {
            cell_fault(session, at->span, "card %d stands in two groups", i);
            return false;
        }
        cards->items[i] = *card;
        cards->count = i >= cards->count ? i + 1 : cards->count;
    }
    return true;
}

static bool read_group(Session *session, const Data *row, Cards *cards) {
    static const char *const WORDS[] = { "ena", "efa" };
    static const unsigned CAPABILITIES[COUNT_OF(WORDS)] = { CARD_ENA, CARD_EFA };
    const Data *cells[GROUP_COLUMN_COUNT];
    if (!cells_read(session, STR("a group of cards"), row->span, row, NULL, GROUP_COLUMNS, GROUP_COLUMN_COUNT, cells)) {
        return false;
    }
    bool is_right = true;
    Card card = { .is_set = true };
    card.interfaces_max =
        (int)cell_int(session, cells[GROUP_INTERFACES], "the number of interfaces of a card", 1, CARD_INTERFACES_MAX);
    for (uint32_t i = 0; i < cells[GROUP_TAKES]->count; i++) {
        const int word = cell_word(session, cells[GROUP_TAKES]->items[i], "kind of traffic", WORDS, COUNT_OF(WORDS));
        card.takes |= word < 0 ? 0 : CAPABILITIES[word];
        is_right = is_right && word >= 0;
    }
    const Data *at = cells[GROUP_AT];
    if (at->kind != DATA_LIST) {
        return set_cards(session, at, &card, cards) && is_right;
    }
    for (uint32_t i = 0; i < at->count; i++) {
        is_right = set_cards(session, at->items[i], &card, cards) && is_right;
    }
    return is_right;
}

bool cards_read(Session *session, const Data *cell, int64_t network_cards, Cards *cards) {
    *cards = (Cards){ 0 };
    bool is_right = true;
    if (cell->kind == DATA_NULL) {
        return is_right;
    }
    for (uint32_t i = 0; i < cell->count; i++) {
        is_right = read_group(session, cell->items[i], cards) && is_right;
    }
    if (!is_right) {
        return is_right;
    }
    for (int i = 0; i < cards->count; i++) {
        if (!cards->items[i].is_set) {
            is_right = false;
            cell_fault(session, cell->span, "card %d stands in no group", i);
        }
    }
    if (cards->count != network_cards) {
        is_right = false;
        cell_fault(session, cell->span, "`cards` has %d cards, `network_cards` says %" PRId64, cards->count,
                   network_cards);
    }
    if (cards->count > 0 && (cards->items[0].takes & CARD_ENA) == 0) {
        is_right = false;
        cell_fault(session, cell->span, "card 0 takes no ENA, so there can be no primary interface");
    }
    return is_right;
}

static bool is_alike(const Card *a, const Card *b) {
    return a->interfaces_max == b->interfaces_max && a->takes == b->takes;
}

void cards_put(Arena *arena, const Cards *cards, InstanceRow *row) {
    CardRun *runs = arena_new_array(arena, CardRun, (size_t)cards->count);
    int count = 0;
    for (int i = 0; i < cards->count; i++) {
        const Card *card = &cards->items[i];
        if (i == 0 || !is_alike(card, &cards->items[i - 1])) {
            runs[count++] = (CardRun){ .first = i, .interfaces_max = card->interfaces_max, .takes = card->takes };
        }
        runs[count - 1].count++;
    }
    row->cards = count == 0 ? NULL : runs;
    row->card_run_count = count;
}

// ---- layouts ---------------------------------------------------------------------------------------------------

typedef struct {
    LayoutNic nic;
    Span span;
} Position;

typedef VEC(Position) Positions;

static bool is_efa(const LayoutNic *nic) {
    return nic->kind != NIC_INTERFACE;
}

static int compare_places(const void *left, const void *right) {
    const LayoutNic *a = &((const Position *)left)->nic;
    const LayoutNic *b = &((const Position *)right)->nic;
    return a->card != b->card ? a->card - b->card : a->device - b->device;
}

static void add_places(Session *session, Positions *places, NicKind kind, const Data *list) {
    for (uint32_t i = 0; list->kind == DATA_LIST && i < list->count; i++) {
        const Data *item = list->items[i];
        const Str text = item->kind == DATA_STRING ? item->string : STR_NONE;
        size_t offset = 0;
        int first;
        int last;
        int device = -1;
        if (read_range(text, &offset, &first, &last) && offset < text.len && text.data[offset] == '/') {
            offset++;
            device = read_digits(text, &offset);
        }
        if (device < 0 || device >= CARD_INTERFACES_MAX || offset != text.len) {
            cell_fault(session, item->span, "a place is written card/device or first..last/device");
            continue;
        }
        if (places->count + (uint32_t)(last - first + 1) > NICS_MAX) {
            cell_fault(session, item->span, "a layout has %d interfaces at most", NICS_MAX);
            return;
        }
        for (int card = first; card <= last; card++) {
            const LayoutNic nic = { .card = card, .device = device, .kind = kind };
            vec_push(session->arena, places, (Position){ .nic = nic, .span = item->span });
        }
    }
}

// What EC2 would refuse: see the rules in compiler/plan/model/nics.h, which promises the same of every placement.
static void check_place(Session *session, const Positions *places, uint32_t i, const Cards *cards) {
    const LayoutNic *nic = &places->items[i].nic;
    const Span span = places->items[i].span;
    if (nic->card >= cards->count) {
        cell_fault(session, span, "there is no card %d", nic->card);
        return;
    }
    const Card *card = &cards->items[nic->card];
    const int devices = card->interfaces_max == UNKNOWN ? 1 : card->interfaces_max;
    if (nic->device >= devices) {
        cell_fault(session, span, "device %d is beyond the %d that card %d takes", nic->device, devices, nic->card);
    }
    if (is_efa(nic) && (card->takes & CARD_EFA) == 0) {
        cell_fault(session, span, "card %d takes no EFA", nic->card);
    }
    if (nic->kind != NIC_EFA_ONLY && (card->takes & CARD_ENA) == 0) {
        cell_fault(session, span, "card %d takes no ENA", nic->card);
    }
    for (uint32_t j = 0; j < i; j++) {
        const LayoutNic *other = &places->items[j].nic;
        if (other->card != nic->card) {
            continue;
        }
        if (other->device == nic->device) {
            cell_fault(session, span, "two interfaces at %d/%d", nic->card, nic->device);
        } else if (is_efa(other) && is_efa(nic)) {
            cell_fault(session, span, "two EFA interfaces on card %d", nic->card);
        }
    }
}

static void check_layout(Session *session, const Data *row, const Positions *places, const Cards *cards, int efa_max) {
    int efa = 0;
    for (uint32_t i = 0; i < places->count; i++) {
        check_place(session, places, i, cards);
        efa += is_efa(&places->items[i].nic) ? 1 : 0;
    }
    const LayoutNic *primary = places->count == 0 ? NULL : &places->items[0].nic;
    if (primary == NULL || primary->card != 0 || primary->device != 0 || primary->kind == NIC_EFA_ONLY) {
        cell_fault(session, row->span, "a layout has a primary interface, at 0/0 and not efa-only");
    }
    if (efa_max != UNKNOWN && efa > efa_max) {
        cell_fault(session, row->span, "the layout has %d EFA interfaces, the type %d", efa, efa_max);
    }
}

// False where the columns are not as they should be; other faults are reported and the layout is read on.
static bool read_layout(Session *session, const DataEntry *entry, const Data *sources, const Cards *cards, int efa_max,
                        LayoutRow *layout) {
    enum { COLUMN_SOURCE = NIC_EFA_ONLY + 1, LAYOUT_COLUMN_COUNT };
    static const Column COLUMNS[LAYOUT_COLUMN_COUNT] = {
        [NIC_INTERFACE] = { "interface", CELL_LIST },
        [NIC_EFA] = { "efa", CELL_LIST | CELL_OPTIONAL },
        [NIC_EFA_ONLY] = { "efa-only", CELL_LIST | CELL_OPTIONAL },
        [COLUMN_SOURCE] = { "source", CELL_TEXT },
    };
    const Data *cells[LAYOUT_COLUMN_COUNT];
    if (!str_is(entry->key, "min_ip") && !str_is(entry->key, "all_ip") && !str_is(entry->key, "max_bandwidth")) {
        cell_fault(session, entry->key_span, "a layout is `min_ip`, `all_ip` or `max_bandwidth`");
    }
    if (!cells_read(session, entry->key, entry->key_span, entry->value, NULL, COLUMNS, LAYOUT_COLUMN_COUNT, cells)) {
        return false;
    }
    Positions places = { 0 };
    for (int kind = NIC_INTERFACE; kind <= NIC_EFA_ONLY; kind++) {
        if (cells[kind] != NULL) {
            add_places(session, &places, (NicKind)kind, cells[kind]);
        }
    }
    if (places.count > 1) {
        qsort(places.items, places.count, sizeof(places.items[0]), compare_places);
    }
    check_layout(session, entry->value, &places, cards, efa_max);
    const Data *source = data_get(sources, str_c(session->arena, cells[COLUMN_SOURCE]->string));
    if (source == NULL || source->kind != DATA_STRING) {
        cell_fault(session, cells[COLUMN_SOURCE]->span, "the file's `sources` has no such key");
        return false;
    }
    LayoutNic *nics = arena_new_array(session->arena, LayoutNic, places.count);
    for (uint32_t i = 0; i < places.count; i++) {
        nics[i] = places.items[i].nic;
    }
    *layout = (LayoutRow){ .name = str_c(session->arena, entry->key),
                           .nics = nics,
                           .count = (int)places.count,
                           .source = cell_string(session, source) };
    return true;
}

void layouts_read(Session *session, const Data *cell, const Data *sources, const Cards *cards, InstanceRow *row) {
    if (cell == NULL) {
        return;
    }
    enum { LAYOUTS_MAX = 3 }; // as many as there are names
    LayoutRow *layouts = arena_new_array(session->arena, LayoutRow, LAYOUTS_MAX);
    for (uint32_t i = 0; i < cell->count; i++) {
        LayoutRow layout;
        if (read_layout(session, &cell->entries[i], sources, cards, row->efa_max, &layout) &&
            row->layout_count < LAYOUTS_MAX) {
            layouts[row->layout_count++] = layout;
        }
    }
    row->layouts = layouts;
}
