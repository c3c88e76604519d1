// The network cards of one instance type and the interface layouts that are rows. Cards are written as groups,
//     cards: [{ at: 0, interfaces: 4, takes: [ena] }, { at: 1..16, interfaces: 4, takes: [ena, efa] }]
// with `at` a card, a range or a list of cards; every card stands in one group. A layout lists places, card/device or
// first..last/device, under the kind of interface that stands there.
#include "schema/schemagen.h"

#include "compiler/base/diag.h"

enum { DEVICES_MAX = 64 }; // of one card; the most today is 24

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

static void set_cards(Generator *generator, const Data *at, const Card *card, Cards *cards) {
    int first;
    int last;
    if (!read_at(at, &first, &last)) {
        fault(generator, at->span, "a place is a card such as 0 or a range such as 0..31, below %d", CARDS_MAX);
        return;
    }
    for (int i = first; i <= last; i++) {
        if (cards->items[i].is_set) {
            fault(generator, at->span, "card %d stands in two groups", i);
            return;
        }
        cards->items[i] = *card;
        cards->count = i >= cards->count ? i + 1 : cards->count;
    }
}

static void read_group(Generator *generator, const Data *row, Cards *cards) {
    const Data *cells[GROUP_COLUMN_COUNT];
    if (!read_cells(generator, STR("a group of cards"), row->span, row, NULL, GROUP_COLUMNS, GROUP_COLUMN_COUNT,
                    cells)) {
        return;
    }
    Card card = { .is_set = true };
    card.interfaces =
        (int)read_int(generator, cells[GROUP_INTERFACES], "the number of interfaces of a card", 1, DEVICES_MAX);
    for (uint32_t i = 0; i < cells[GROUP_TAKES]->count; i++) {
        static const Word WORDS[] = { { "ena", "ENA" }, { "efa", "EFA" } };
        const Data *word = cells[GROUP_TAKES]->items[i];
        read_word(generator, word, "kind of traffic", WORDS, COUNT_OF(WORDS));
        card.takes_ena = card.takes_ena || cell_is(word, "ena");
        card.takes_efa = card.takes_efa || cell_is(word, "efa");
    }
    const Data *at = cells[GROUP_AT];
    if (at->kind != DATA_LIST) {
        set_cards(generator, at, &card, cards);
        return;
    }
    for (uint32_t i = 0; i < at->count; i++) {
        set_cards(generator, at->items[i], &card, cards);
    }
}

bool read_cards(Generator *generator, const Data *cell, int64_t network_cards, Cards *cards) {
    *cards = (Cards){ 0 };
    if (cell->kind == DATA_NULL) {
        return true;
    }
    const uint32_t errors = generator->session->diags.error_count;
    for (uint32_t i = 0; i < cell->count; i++) {
        read_group(generator, cell->items[i], cards);
    }
    if (generator->session->diags.error_count != errors) {
        return false;
    }
    for (int i = 0; i < cards->count; i++) {
        if (!cards->items[i].is_set) {
            fault(generator, cell->span, "card %d stands in no group", i);
        }
    }
    if (cards->count != network_cards) {
        fault(generator, cell->span, "`cards` has %d cards, `network_cards` says %" PRId64, cards->count,
              network_cards);
    }
    if (cards->count > 0 && !cards->items[0].takes_ena) {
        fault(generator, cell->span, "card 0 takes no ENA, so there can be no primary interface");
    }
    return generator->session->diags.error_count == errors;
}

static bool is_alike(const Card *a, const Card *b) {
    return a->interfaces == b->interfaces && a->takes_ena == b->takes_ena && a->takes_efa == b->takes_efa;
}

void put_cards(StrBuf *out, const Cards *cards) {
    if (cards->count == 0) {
        return;
    }
    int runs = 0;
    put(out, ".cards = (const CardRun[]){ ");
    for (int first = 0; first < cards->count;) {
        const Card *card = &cards->items[first];
        int end = first + 1;
        while (end < cards->count && is_alike(card, &cards->items[end])) {
            end++;
        }
        put(out, "{ .first = %d, .count = %d, .interfaces_max = ", first, end - first);
        if (card->interfaces == UNKNOWN_CELL) {
            put(out, "UNKNOWN");
        } else {
            put(out, "%d", card->interfaces);
        }
        put(out, ", .takes = %s%s%s },%s", card->takes_ena ? "CARD_ENA" : "",
            card->takes_ena && card->takes_efa ? " | " : "", card->takes_efa ? "CARD_EFA" : "",
            end < cards->count ? " " : " }, ");
        first = end;
        runs++;
    }
    put(out, ".card_run_count = %d,\n      ", runs);
}

// ---- layouts ---------------------------------------------------------------------------------------------------

typedef struct {
    int card;
    int device;
    const char *kind;
    Span span;
} Position;

typedef VEC(Position) Positions;

static const Word KINDS[] = {
    { "interface", "NIC_INTERFACE" },
    { "efa", "NIC_EFA" },
    { "efa-only", "NIC_EFA_ONLY" },
};

static bool is_efa(const Position *place) {
    return place->kind != KINDS[0].c;
}

static int compare_places(const void *left, const void *right) {
    const Position *a = left;
    const Position *b = right;
    return a->card != b->card ? a->card - b->card : a->device - b->device;
}

static void add_places(Generator *generator, Positions *places, const char *kind, const Data *list) {
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
        if (device < 0 || device >= DEVICES_MAX || offset != text.len) {
            fault(generator, item->span, "a place is written card/device or first..last/device");
            continue;
        }
        for (int card = first; card <= last; card++) {
            vec_push(generator->arena, places,
                     (Position){ .card = card, .device = device, .kind = kind, .span = item->span });
        }
    }
}

// What EC2 would refuse: see the rules in compiler/plan/nics.h, which promises the same of every placement.
static void check_place(Generator *generator, const Positions *places, uint32_t i, const Cards *cards) {
    const Position *place = &places->items[i];
    if (place->card >= cards->count) {
        fault(generator, place->span, "there is no card %d", place->card);
        return;
    }
    const Card *card = &cards->items[place->card];
    const int devices = card->interfaces == UNKNOWN_CELL ? 1 : card->interfaces;
    if (place->device >= devices) {
        fault(generator, place->span, "device %d is beyond the %d that card %d takes", place->device, devices,
              place->card);
    }
    if (is_efa(place) && !card->takes_efa) {
        fault(generator, place->span, "card %d takes no EFA", place->card);
    }
    if (place->kind != KINDS[2].c && !card->takes_ena) {
        fault(generator, place->span, "card %d takes no ENA", place->card);
    }
    for (uint32_t j = 0; j < i; j++) {
        const Position *other = &places->items[j];
        if (other->card != place->card) {
            continue;
        }
        if (other->device == place->device) {
            fault(generator, place->span, "two interfaces at %d/%d", place->card, place->device);
        } else if (is_efa(other) && is_efa(place)) {
            fault(generator, place->span, "two EFA interfaces on card %d", place->card);
        }
    }
}

static void check_layout(Generator *generator, const Data *row, const Positions *places, const Cards *cards,
                         int64_t efa_max) {
    int64_t efa = 0;
    for (uint32_t i = 0; i < places->count; i++) {
        check_place(generator, places, i, cards);
        efa += is_efa(&places->items[i]) ? 1 : 0;
    }
    const Position *primary = places->count == 0 ? NULL : &places->items[0];
    if (primary == NULL || primary->card != 0 || primary->device != 0 || primary->kind == KINDS[2].c) {
        fault(generator, row->span, "a layout has a primary interface, at 0/0 and not efa-only");
    }
    if (efa_max != UNKNOWN_CELL && efa > efa_max) {
        fault(generator, row->span, "the layout has %" PRId64 " EFA interfaces, the type %" PRId64, efa, efa_max);
    }
}

static void put_layout(Generator *generator, StrBuf *out, const DataEntry *entry, const Data *sources,
                       const Cards *cards, int64_t efa_max) {
    enum { COLUMN_SOURCE = COUNT_OF(KINDS), COLUMN_COUNT };
    static const Column COLUMNS[COLUMN_COUNT] = {
        { "interface", CELL_LIST },
        { "efa", CELL_LIST | CELL_OPTIONAL },
        { "efa-only", CELL_LIST | CELL_OPTIONAL },
        [COLUMN_SOURCE] = { "source", CELL_TEXT },
    };
    const Data *cells[COLUMN_COUNT];
    if (!str_is(entry->key, "min_ip") && !str_is(entry->key, "all_ip") && !str_is(entry->key, "max_bandwidth")) {
        fault(generator, entry->key_span, "a layout is `min_ip`, `all_ip` or `max_bandwidth`");
    }
    if (!read_cells(generator, entry->key, entry->key_span, entry->value, NULL, COLUMNS, COLUMN_COUNT, cells)) {
        return;
    }
    Positions places = { 0 };
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        if (cells[i] != NULL) {
            add_places(generator, &places, KINDS[i].c, cells[i]);
        }
    }
    if (places.count > 1) {
        qsort(places.items, places.count, sizeof(places.items[0]), compare_places);
    }
    check_layout(generator, entry->value, &places, cards, efa_max);
    generator->nics_most = places.count > generator->nics_most ? places.count : generator->nics_most;
    const Data *source = data_get(sources, str_c(generator->arena, cells[COLUMN_SOURCE]->string));
    if (source == NULL) {
        fault(generator, cells[COLUMN_SOURCE]->span, "the file's `sources` has no such key");
    }

    put(out, "{ .name = \"%.*s\", .count = %" PRIu32 ", .source = ", STR_ARG(entry->key), places.count);
    put_cell_string(out, source);
    put(out, ",\n          .nics = (const LayoutNic[]){ ");
    for (uint32_t i = 0; i < places.count; i++) {
        const Position *place = &places.items[i];
        put(out, "{ %d, %d, %s },%s", place->card, place->device, place->kind, i % 5 == 4 ? "\n              " : " ");
    }
    put(out, "} },");
}

void put_layouts(Generator *generator, StrBuf *out, const Data *cell, const Data *sources, const Cards *cards,
                 int64_t efa_max) {
    if (cell == NULL) {
        return;
    }
    put(out, ".layouts = (const LayoutRow[]){\n        ");
    for (uint32_t i = 0; i < cell->count; i++) {
        put_layout(generator, out, &cell->entries[i], sources, cards, efa_max);
    }
    put(out, " },\n      .layout_count = %" PRIu32 ",\n      ", cell->count);
}
