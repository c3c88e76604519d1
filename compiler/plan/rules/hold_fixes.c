// Holds fixes against what an update does. A fix is found in the text of the file again by its place: rules know values,
// and not the path on which a value came. A file with many fixes is not walked through once for each: marks say which parts
// of it cannot hold a place.
#include "compiler/plan/rules/hold_fixes.h"

#include "compiler/base/diag/diag.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/rules/rule_remove.h"

static const DiagId HARMLESS_IDS[] = {
#define HARMLESS(name, why) DIAG_##name,
#include "compiler/plan/rules/harmless.def"
#undef HARMLESS
};

static bool is_harmless(DiagId id) {
    for (size_t i = 0; i < COUNT_OF(HARMLESS_IDS); i++) {
        if (HARMLESS_IDS[i] == id) {
            return true;
        }
    }
    return false;
}

// ---- names -------------------------------------------------------------------------------------------------------

Str piece_owner(Arena *arena, const PlanFile *file, const PlanPiece *piece) {
    if (!str_is(file->tool, "kubernetes")) {
        return piece->type.len > 0 ? piece->type : file->tool;
    }
    return str_format(arena, "%.*s/%.*s", STR_ARG(data_text(piece->data, "apiVersion")),
                      STR_ARG(data_text(piece->data, "kind")));
}

static bool is_of_template(Str key) {
    return str_starts_with(key, STR("Fn::")) || str_is(key, "Ref");
}

static void add_path(StrBuf *path, const Trail *trail) {
    if (trail == NULL) {
        return;
    }
    add_path(path, trail->outer);
    const bool is_left_out = is_of_template(trail->key) || (trail->outer == NULL && str_is(trail->key, "Properties"));
    if (!is_left_out) {
        strbuf_add_format(path, "%s%.*s", path->len == 0 ? "" : ".", STR_ARG(trail->key));
    }
}

Str trail_path(Arena *arena, const Trail *trail) {
    StrBuf path = { .arena = arena };
    add_path(&path, trail);
    return strbuf_str(&path);
}

// ---- marks ---------------------------------------------------------------------------------------------------------

// Of a part of a file, and of all parts in the order in which they are walked through.
typedef struct {
    Span around;     // all that stands in it, what an alias names too; SPAN_NONE: nobody knows
    uint32_t behind; // the mark of the part that comes after all of it
} Mark;

typedef VEC(Mark) Marks;

static void widen(Span *around, Span part) {
    if (span_is_none(*around) || part.source != around->source) {
        *around = SPAN_NONE;
        return;
    }
    around->start = part.start < around->start ? part.start : around->start;
    around->end = part.end > around->end ? part.end : around->end;
}

static Span add_marks(Arena *arena, Marks *marks, const Data *data) {
    const uint32_t at = marks->count;
    Span around = data->span;
    vec_push(arena, marks, (Mark){ 0 });
    for (uint32_t i = 0; data->kind == DATA_MAP && i < data->count; i++) {
        widen(&around, data->entries[i].key_span);
        widen(&around, add_marks(arena, marks, data->entries[i].value));
    }
    for (uint32_t i = 0; data->kind == DATA_LIST && i < data->count; i++) {
        widen(&around, add_marks(arena, marks, data->items[i]));
    }
    marks->items[at] = (Mark){ .around = around, .behind = marks->count };
    return around;
}

// ---- what an update does -------------------------------------------------------------------------------------------

// The worst that is found for one fix.
typedef struct {
    Session *session;
    const Marks *marks; // of all pieces of all files
    uint32_t next;      // the mark of what is looked at next
    const DiagFix *fix;
    const PlanFile *file;
    const PlanPiece *piece;
    bool is_found;
    Update update;
    Str owner; // whose update it is
    Str path;
} Search;

static void weigh_as(Search *search, Str owner, Str path, Update update) {
    if (!search->is_found || update > search->update) {
        search->update = update;
        search->owner = owner;
        search->path = path;
    }
    search->is_found = true;
}

static void weigh(Search *search, Str owner, Str path) {
    weigh_as(search, owner, path, update_of(owner, path));
}

// A new value of a property that hands it on: what takes it in the end is not seen.
static void weigh_taker(Search *search, Str owner, Str path) {
    weigh_as(search, owner, path, update_hands_on(owner, path) ? UPDATE_CONDITIONAL : update_of(owner, path));
}

// The path to a place in a resource; empty: it does not hold the place.
static Str path_to(Arena *arena, const Data *data, Span place, const Trail *trail) {
    for (uint32_t i = 0; data->kind == DATA_MAP && i < data->count; i++) {
        const Trail here = { data->entries[i].key, trail };
        const Str path = path_to(arena, data->entries[i].value, place, &here);
        if (path.len > 0) {
            return path;
        }
    }
    for (uint32_t i = 0; data->kind == DATA_LIST && i < data->count; i++) {
        const Str path = path_to(arena, data->items[i], place, trail);
        if (path.len > 0) {
            return path;
        }
    }
    const bool is_scalar = data->kind != DATA_MAP && data->kind != DATA_LIST;
    return is_scalar && span_holds(data->span, place) ? trail_path(arena, trail) : STR_NONE;
}

// What takes an attribute that each update changes.
static void weigh_takers(Search *search) {
    const PlanTemplate *names = search->file->names;
    for (uint32_t i = 0; names != NULL && i < names->uses.count; i++) {
        const PlanUse *use = names->uses.items[i];
        const bool is_moved = use->kind == USE_ATTRIBUTE && use->to != NULL && use->to->data == search->piece->data &&
                              update_moves(search->piece->type, use->attribute);
        if (is_moved && use->from != NULL && use->from->kind == NAMED_RESOURCE) {
            weigh_taker(search, use->from->type, path_to(search->session->arena, use->from->data, use->span, NULL));
        } else if (is_moved && use->from != NULL && use->from->kind == NAMED_OUTPUT) {
            weigh_taker(search, STR("cloudformation"), STR("Outputs"));
        }
    }
}

// Whether a key stands beside the properties of a resource, not in them.
static bool is_beside_properties(const Search *search, const Trail *trail) {
    while (trail != NULL && trail->outer != NULL) {
        trail = trail->outer;
    }
    return search->piece->type.len > 0 && trail != NULL && !str_is(trail->key, "Properties");
}

static void hit(Search *search, const Trail *trail) {
    Arena *arena = search->session->arena;
    const Str path = trail_path(arena, trail);
    if (is_beside_properties(search, trail) && update_is_safe(update_of(STR("resource"), path))) {
        weigh(search, STR("resource"), path);
        return;
    }
    weigh(search, piece_owner(arena, search->file, search->piece), path);
    weigh_takers(search);
}

static bool takes_out(const DiagFix *fix, Span key) {
    return fix->replacement.len == 0 && key.end > key.start && span_holds(fix->span, key);
}

static bool lies_apart(Span around, Span place) {
    return around.source != place.source || around.end < place.start || place.end < around.start;
}

// Whether the fix puts an entry into a map.
static bool puts_into(const DiagFix *fix, const Data *map) {
    bool is = fix->key.len > 0 && map->kind == DATA_MAP && map->count == 0 && span_equal(map->span, fix->beside);
    for (uint32_t i = 0; fix->key.len > 0 && map->kind == DATA_MAP && i < map->count; i++) {
        is = is || span_equal(map->entries[i].key_span, fix->beside);
    }
    return is;
}

// All places where the fix changes something: an anchor of YAML stands in several.
static bool look(Search *search, const Data *data, const Trail *trail) {
    const Mark *mark = &search->marks->items[search->next++];
    const Span place = span_is_none(search->fix->beside) ? search->fix->span : search->fix->beside;
    if (!span_is_none(mark->around) && lies_apart(mark->around, place)) {
        search->next = mark->behind;
        return false;
    }
    if (puts_into(search->fix, data)) {
        hit(search, &(Trail){ search->fix->key, trail });
        search->next = mark->behind;
        return true;
    }
    bool is_inside = false;
    for (uint32_t i = 0; data->kind == DATA_MAP && i < data->count; i++) {
        const DataEntry *entry = &data->entries[i];
        const bool is_out = takes_out(search->fix, entry->key_span);
        if (is_out || span_holds(entry->key_span, place)) {
            hit(search, &(Trail){ is_out ? entry->key : search->fix->replacement, trail });
            is_inside = true;
            search->next = search->marks->items[search->next].behind;
            continue;
        }
        const Trail here = { entry->key, trail };
        is_inside = look(search, entry->value, &here) || is_inside;
    }
    for (uint32_t i = 0; data->kind == DATA_LIST && i < data->count; i++) {
        is_inside = look(search, data->items[i], trail) || is_inside;
    }
    if (!is_inside && span_holds(data->span, place)) {
        hit(search, trail);
        is_inside = true;
    }
    return is_inside;
}

static bool say_price(Session *session, Diag *diag, Str owner, Str path, Update update) {
    const Str price = update_price(owner, path, update);
    if (price.len == 0) {
        return false;
    }
    const Str help = str_format(session->arena, "where this is deployed already, %.*s", STR_ARG(price));
    for (uint32_t i = 0; i < diag->helps.count; i++) {
        if (str_equal(diag->helps.items[i], help)) {
            return true;
        }
    }
    diag_help(session, diag, "%.*s", STR_ARG(help));
    return true;
}

bool rule_say_price(Session *session, Diag *diag, Str owner, Str path) {
    const Update update = update_of(owner, path);
    return !update_is_safe(update) && say_price(session, diag, owner, path, update);
}

static Marks marks_of(Arena *arena, const Plan *const *plans, uint32_t count) {
    Marks marks = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t p = 0; plans[i]->file != NULL && p < plans[i]->file->pieces.count; p++) {
            (void)add_marks(arena, &marks, plans[i]->file->pieces.items[p].data);
        }
    }
    return marks;
}

// ---- what stands in several places -----------------------------------------------------------------------------------

// In how many entries and values a place of the text stands: an anchor of YAML, in each place that names it. `*next` is the
// mark of `data`.
static uint32_t count_at(const Marks *marks, uint32_t *next, const Data *data, Span place) {
    const Mark *mark = &marks->items[(*next)++];
    if (!span_is_none(mark->around) && lies_apart(mark->around, place)) {
        *next = mark->behind;
        return 0;
    }
    const bool is_whole = data->kind == DATA_MAP || data->kind == DATA_LIST;
    uint32_t count = !is_whole && !span_is_none(data->span) && span_holds(data->span, place);
    for (uint32_t i = 0; data->kind == DATA_MAP && i < data->count; i++) {
        const DataEntry *entry = &data->entries[i];
        count += !span_is_none(entry->key_span) && span_holds(entry->key_span, place);
        count += count_at(marks, next, entry->value, place);
    }
    for (uint32_t i = 0; data->kind == DATA_LIST && i < data->count; i++) {
        count += count_at(marks, next, data->items[i], place);
    }
    return count;
}

// `*name` and `<<`, as far as a look at the text tells.
static bool may_have_aliases(Str text) {
    for (size_t at = str_find(text, STR("*"), 0); at < text.len; at = str_find(text, STR("*"), at + 1)) {
        const char before = at == 0 ? ' ' : text.data[at - 1];
        const char behind = char_small(str_at(text, at + 1));
        if (strchr(" [,\n", before) != NULL && (char_is_of_name(behind) || behind == '-')) {
            return true;
        }
    }
    return false;
}

static uint32_t count_in_files(const Plan *const *plans, uint32_t count, const Marks *marks, Span place) {
    uint32_t places = 0;
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        const PlanFile *file = plans[i]->file;
        for (uint32_t p = 0; file != NULL && p < file->pieces.count; p++) {
            places += count_at(marks, &next, file->pieces.items[p].data, place);
        }
    }
    return places;
}

// Whether a fix changes what stands in other places too, which may be right there. A cut begins at what is cut, or in the
// blanks before it.
static bool is_shared(const Plan *const *plans, uint32_t count, const Marks *marks, const DiagFix *fix) {
    const Span place = span_is_none(fix->beside) ? fix->span : fix->beside;
    const uint32_t last = place.end > place.start ? place.end - 1 : place.start;
    const Span first = { .source = place.source, .start = place.start, .end = place.start };
    const Span end = { .source = place.source, .start = last, .end = last };
    return count_in_files(plans, count, marks, first) > 1 || count_in_files(plans, count, marks, end) > 1;
}

static void leave_shared(const Plan *const *plans, uint32_t count, const Marks *marks, Diag *diag) {
    for (uint32_t k = 0; k < diag->fixes.count; k++) {
        if (is_shared(plans, count, marks, &diag->fixes.items[k])) {
            diag->fixes.count = 0;
        }
    }
}

static void hold(Session *session, const Plan *const *plans, uint32_t count, const Marks *marks, Diag *diag) {
    Search worst = { .session = session, .marks = marks };
    for (uint32_t k = 0; k < diag->fixes.count; k++) {
        worst.fix = &diag->fixes.items[k];
        worst.next = 0;
        for (uint32_t i = 0; i < count; i++) {
            worst.file = plans[i]->file;
            for (uint32_t p = 0; worst.file != NULL && p < worst.file->pieces.count; p++) {
                worst.piece = &worst.file->pieces.items[p];
                (void)look(&worst, worst.piece->data, NULL);
            }
        }
    }
    if (!worst.is_found) {
        worst.update = UPDATE_UNKNOWN;
    }
    if (!update_is_safe(worst.update)) {
        diag->fixes.count = 0;
        (void)say_price(session, diag, worst.owner, worst.path, worst.update);
    }
}

void fixes_hold(Session *session, const Plan *const *plans, uint32_t count) {
    removals_settle(session, plans, count);
    insertions_settle(session, plans, count);
    Marks marks = { 0 };
    Span seen = SPAN_NONE; // a place in the file that was looked through for aliases
    bool has_aliases = false;
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        Diag *diag = session->diags.items.items[i];
        const Span place = diag->fixes.count > 0 ? diag->fixes.items[0].span : SPAN_NONE;
        if (!span_is_none(place) && (span_is_none(seen) || seen.source != place.source)) {
            has_aliases = may_have_aliases(source_get(session, place.source)->text);
            seen = place;
        }
        const bool may_be_shared = has_aliases && !span_is_none(place);
        const bool is_to_weigh = diag->fixes.count > 0 && !is_harmless(diag->id);
        if (may_be_shared || is_to_weigh) {
            marks = marks.count == 0 ? marks_of(session->arena, plans, count) : marks;
        }
        if (may_be_shared) {
            leave_shared(plans, count, &marks, diag);
        }
        if (is_to_weigh && diag->fixes.count > 0) {
            hold(session, plans, count, &marks, diag);
        }
    }
}
