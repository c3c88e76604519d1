// Finds in the text of a file what an entry or an item takes up. What stands behind it comes into its place, so that its
// indent, its dash and the comma of a list in brackets need no care; the last one goes with what joins it to the one before.
#include "compiler/plan/rules/rule_remove.h"

// What is to go: an entry or an item, with its neighbours.
typedef struct {
    Span whole;  // from its first byte to its last; SPAN_NONE: not found, or not known
    Span next;   // the first of those behind it; SPAN_NONE: it is the last
    bool is_one; // there is no other
} Part;

static bool is_read(Span span) {
    return !span_is_none(span);
}

// All that stands in a value. An alias names what stands elsewhere: then nobody knows.
static Span whole_of(const Data *data) {
    Span whole = data->span;
    const uint32_t count = data->kind == DATA_MAP || data->kind == DATA_LIST ? data->count : 0;
    for (uint32_t i = 0; i < count && is_read(whole); i++) {
        const Span inner = whole_of(data->kind == DATA_MAP ? data->entries[i].value : data->items[i]);
        const Span key = data->kind == DATA_MAP ? data->entries[i].key_span : inner;
        if (!is_read(inner) || !is_read(key) || inner.source != whole.source || key.source != whole.source) {
            return SPAN_NONE;
        }
        whole.start = key.start < whole.start ? key.start : whole.start;
        whole.start = inner.start < whole.start ? inner.start : whole.start;
        whole.end = inner.end > whole.end ? inner.end : whole.end;
    }
    return whole;
}

Span entry_text(const DataEntry *entry) {
    const Span value = whole_of(entry->value);
    const bool is_known = is_read(value) && is_read(entry->key_span) && value.source == entry->key_span.source &&
                          value.start >= entry->key_span.end;
    return is_known ? span_join(entry->key_span, value) : SPAN_NONE;
}

static void see(Part *part, Span other) {
    part->is_one = false;
    const bool is_behind = is_read(other) && other.source == part->whole.source && other.start >= part->whole.end;
    if (is_behind && (!is_read(part->next) || other.start < part->next.start)) {
        part->next = other;
    }
}

static Part part_of(const Data *around, uint32_t index) {
    Part part = { .next = SPAN_NONE, .is_one = true };
    part.whole = around->kind == DATA_MAP ? entry_text(&around->entries[index]) : whole_of(around->items[index]);
    for (uint32_t i = 0; i < around->count && is_read(part.whole); i++) {
        if (i != index) {
            see(&part, around->kind == DATA_MAP ? around->entries[i].key_span : whole_of(around->items[i]));
        }
    }
    return part;
}

// The innermost entry at a place, or item that is a map; `outer` is the best one of what is around.
static bool find(const Data *data, Span place, bool is_item, bool or_map, Part *found) {
    const uint32_t count = data->kind == DATA_MAP || data->kind == DATA_LIST ? data->count : 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool is_map = data->kind == DATA_MAP;
        const Data *inner = is_map ? data->entries[i].value : data->items[i];
        const bool is_at_key = is_map && span_holds(data->entries[i].key_span, place);
        const bool is_deeper = !is_at_key && find(inner, place, is_item, or_map, found);
        const bool is_scalar = inner->kind != DATA_MAP && inner->kind != DATA_LIST;
        const bool is_here =
            is_at_key || is_deeper || (is_scalar && is_read(inner->span) && span_holds(inner->span, place));
        if (!is_here) {
            continue;
        }
        const bool is_whole = inner->kind == DATA_MAP || (is_scalar && span_equal(inner->span, place));
        const bool is_wanted = is_item ? !is_map && is_whole : is_map;
        const bool is_open = !is_deeper || !is_read(found->whole) || (or_map && is_map && found->is_one);
        if (is_wanted && is_open) {
            *found = part_of(data, i);
        }
        return true;
    }
    return false;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Whether nothing but the end of its line, of its brackets or of the file stands behind a last part.
static bool ends_at(Str text, size_t at, bool is_in_brackets) {
    while (at < text.len && (is_in_brackets ? is_blank(text.data[at]) : text.data[at] == ' ')) {
        at++;
    }
    const char c = str_at(text, at);
    return is_in_brackets ? c == '}' || c == ']' : at == text.len || c == '\n' || c == '\r';
}

// What to cut, from the part to the next one, or from the end of what stands before it to its own end.
static Span cut_of(Str text, const Part *part) {
    Span cut = part->whole;
    if (is_read(part->next)) {
        cut.end = part->next.start;
        return cut;
    }
    while (cut.start > 0 && is_blank(text.data[cut.start - 1])) {
        cut.start--;
    }
    const bool is_item = cut.start > 0 && text.data[cut.start - 1] == '-';
    if (is_item) {
        cut.start--;
        while (cut.start > 0 && is_blank(text.data[cut.start - 1])) {
            cut.start--;
        }
    }
    const bool is_in_brackets = !is_item && cut.start > 0 && text.data[cut.start - 1] == ',';
    if (!ends_at(text, cut.end, is_in_brackets)) {
        return SPAN_NONE;
    }
    cut.start -= is_in_brackets;
    return cut;
}

static Span place_of_cut(Session *session, const Plan *const *plans, uint32_t count, const DiagFix *fix) {
    Part part = { .whole = SPAN_NONE, .next = SPAN_NONE };
    bool is_found = false;
    for (uint32_t i = 0; i < count && !is_found; i++) {
        const PlanFile *file = plans[i]->file;
        for (uint32_t p = 0; file != NULL && p < file->pieces.count && !is_found; p++) {
            is_found = find(file->pieces.items[p].data, fix->span, fix->part == CUT_ITEM, fix->part == CUT_ENTRY_OR_MAP,
                            &part);
        }
    }
    if (!is_read(part.whole) || part.is_one) {
        return SPAN_NONE;
    }
    const Str text = source_get(session, part.whole.source)->text;
    const Span cut = cut_of(text, &part);
    const Str lost = is_read(cut) ? str_slice(text, cut.start, cut.end) : STR("#");
    const bool is_sure = str_find(lost, STR("#"), 0) >= lost.len && str_find(lost, STR("&"), 0) >= lost.len;
    return is_sure ? cut : SPAN_NONE;
}

void removals_settle(Session *session, const Plan *const *plans, uint32_t count) {
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        Diag *diag = session->diags.items.items[i];
        for (uint32_t k = 0; k < diag->fixes.count; k++) {
            DiagFix *fix = &diag->fixes.items[k];
            if (fix->part == CUT_ENTRY || fix->part == CUT_ENTRY_OR_MAP || fix->part == CUT_ITEM) {
                fix->span = place_of_cut(session, plans, count, fix);
                fix->part = PART_NONE;
                diag->fixes.count = is_read(fix->span) ? diag->fixes.count : 0;
            }
        }
    }
}

static void add_cut(const Rules *rules, Diag *diag, Span place, DiagPart part) {
    if (!diag->is_dropped && is_read(place) && source_get(rules->session, place.source)->is_checked) {
        diag_fix(rules->session, diag, place, STR(""));
        DiagFix *fix = &diag->fixes.items[diag->fixes.count - 1];
        fix->replacement = STR("");
        fix->part = part;
    }
}

void rule_remove(const Rules *rules, Diag *diag, Span place, bool or_map) {
    add_cut(rules, diag, place, or_map ? CUT_ENTRY_OR_MAP : CUT_ENTRY);
}

void rule_remove_item(const Rules *rules, Diag *diag, Span place) {
    add_cut(rules, diag, place, CUT_ITEM);
}
