// Finds in the text of a file where a new entry goes, and how it is written there: below the entry beside it, with the same
// indent, or behind it in brackets. A text of several lines may end with its last line: the new entry goes before that one.
#include "compiler/plan/rules/rule_insert.h"

#include "compiler/base/words.h"
#include "compiler/plan/rules/rule_remove.h"

enum { INDENT = 2, INDENT_MAX = 8 };

// The map that the entry goes into.
typedef struct {
    const Data *map; // NULL: not found
    uint32_t beside; // the entry that it goes behind, where there is one
    Span outer;      // the key that the map stands behind
    bool is_decided; // by a function of CloudFormation
} Target;

// What one entry looks like.
typedef struct {
    Str indent; // of a line of its own; not for one in brackets that have one line
    Str gap;    // behind a colon or a comma
    Str step;   // how much deeper what is in a map stands
    char quote; // of keys; NUL: none
    bool is_in_brackets;
    bool has_lines;   // each entry has one
    bool is_of_json;  // each text is in quotes
    char value_quote; // of words; NUL: none
} Style;

static bool is_function(Str key) {
    return str_starts_with(key, STR("Fn::")) || str_is(key, "Ref") || str_is(key, "Condition");
}

// ---- the place -----------------------------------------------------------------------------------------------------

static bool is_at(const DataEntry *entry, Span place) {
    const bool is_scalar = entry->value->kind != DATA_MAP && entry->value->kind != DATA_LIST;
    return span_holds(entry->key_span, place) ||
           (is_scalar && !span_is_none(entry->value->span) && span_holds(entry->value->span, place));
}

// False where it is not in there.
static bool find(Target *target, const DiagFix *fix, const Data *data, Span outer, bool is_decided) {
    const bool is_map = data->kind == DATA_MAP;
    const bool is_it = is_map && (span_equal(data->span, fix->span) || span_equal(outer, fix->span));
    if (fix->part == ADD_INTO && is_it) {
        *target = (Target){ data, data->count == 0 ? 0 : data->count - 1, outer, is_decided };
        return true;
    }
    is_decided = is_decided || data->tag.len > 0;
    for (uint32_t i = 0; is_map && i < data->count; i++) {
        const DataEntry *entry = &data->entries[i];
        if (fix->part == ADD_BESIDE && is_at(entry, fix->span)) {
            *target = (Target){ data, i, outer, is_decided };
            return true;
        }
        if (find(target, fix, entry->value, entry->key_span, is_decided || is_function(entry->key))) {
            return true;
        }
    }
    for (uint32_t i = 0; data->kind == DATA_LIST && i < data->count; i++) {
        if (find(target, fix, data->items[i], SPAN_NONE, is_decided)) {
            return true;
        }
    }
    return false;
}

// In how many places the map stands, or its entry: an anchor of YAML may stand in several.
static uint32_t count_map(const Target *target, const Data *data) {
    const Data *map = target->map;
    uint32_t count = data == map;
    for (uint32_t i = 0; data->kind == DATA_MAP && i < data->count; i++) {
        const bool is_taken = data != map && map->count > 0 &&
                              span_equal(data->entries[i].key_span, map->entries[target->beside].key_span);
        count += is_taken + count_map(target, data->entries[i].value);
    }
    for (uint32_t i = 0; data->kind == DATA_LIST && i < data->count; i++) {
        count += count_map(target, data->items[i]);
    }
    return count;
}

// Whether all that the map has stands in it: neither taken over from another one, nor put there by a function.
static bool is_whole(const Data *map) {
    bool is = map->kind == DATA_MAP && map->tag.len == 0;
    for (uint32_t i = 0; is && i < map->count; i++) {
        const DataEntry *entry = &map->entries[i];
        is = span_holds(map->span, entry->key_span) && !data_is_merge(entry) &&
             !str_starts_with(entry->key, STR("Fn::")) && !str_is(entry->key, "Ref");
    }
    return is;
}

static const DataEntry *entry_of(const Data *map, Str key) {
    for (uint32_t i = 0; i < map->count; i++) {
        if (str_equal(map->entries[i].key, key)) {
            return &map->entries[i];
        }
    }
    return NULL;
}

// Follows a key through the maps that are there; false where there is no room. What is left of it is not there yet.
static bool descend(Target *target, Str *key) {
    for (;;) {
        const size_t end = str_find(*key, STR("|"), 0);
        const DataEntry *entry = is_whole(target->map) ? entry_of(target->map, str_slice(*key, 0, end)) : NULL;
        if (entry == NULL) {
            return is_whole(target->map);
        }
        const Data *inner = entry->value;
        if (end >= key->len || inner->kind != DATA_MAP || !span_holds(target->map->span, inner->span)) {
            return false;
        }
        *target =
            (Target){ .map = inner, .beside = inner->count == 0 ? 0 : inner->count - 1, .outer = entry->key_span };
        *key = str_slice(*key, end + 1, key->len);
    }
}

// ---- the words -----------------------------------------------------------------------------------------------------

static char quote_at(Str text, Span span) {
    const char first = span_is_none(span) ? '\0' : str_at(text, span.start);
    return first == '"' || first == '\'' ? first : '\0';
}

// Neither a number nor a word that YAML and JSON have for something else than a text.
static bool is_text(Str value) {
    const char first = str_at(value, 0);
    return !str_is(value, "true") && !str_is(value, "false") && !str_is(value, "null") && !char_is_digit(first) &&
           memchr("-.\"'[{", first, 6) == NULL;
}

static bool is_word(Str text) {
    bool is = text.len > 0 && is_text(text);
    for (size_t i = 0; is && i < text.len; i++) {
        is = char_is_of_name(text.data[i]) || memchr("-./:", text.data[i], 4) != NULL;
    }
    return is;
}

static void add_value(StrBuf *words, const Style *style, Str value) {
    const char quote = style->is_of_json && is_text(value) ? '"' : is_word(value) ? style->value_quote : '\0';
    strbuf_add_repeated(words, quote, quote != '\0');
    strbuf_add(words, value);
    strbuf_add_repeated(words, quote, quote != '\0');
}

static Str entry_words(Arena *arena, const Style *style, Str key, Str value) {
    StrBuf words = { .arena = arena };
    StrBuf indent = { .arena = arena };
    strbuf_add(&indent, style->indent);
    size_t depth = 0;
    size_t offset = 0;
    Str word;
    while (words_next(key, &offset, &word)) {
        if (depth > 0 && style->is_in_brackets) {
            strbuf_add_format(&words, "%.*s{%.*s", STR_ARG(style->gap), STR_ARG(style->gap));
        } else if (depth > 0) {
            strbuf_add(&indent, style->step);
            strbuf_add_format(&words, "\n%.*s", STR_ARG(strbuf_str(&indent)));
        }
        strbuf_add_repeated(&words, style->quote, style->quote != '\0');
        strbuf_add(&words, word);
        strbuf_add_repeated(&words, style->quote, style->quote != '\0');
        strbuf_add_char(&words, ':');
        depth++;
    }
    strbuf_add(&words, style->gap);
    add_value(&words, style, value);
    for (size_t i = 1; style->is_in_brackets && i < depth; i++) {
        strbuf_add_format(&words, "%.*s}", STR_ARG(style->gap));
    }
    return strbuf_str(&words);
}

// ---- how its neighbours are written --------------------------------------------------------------------------------

static size_t line_start(Str text, size_t at) {
    while (at > 0 && text.data[at - 1] != '\n') {
        at--;
    }
    return at;
}

// The column of a key that nothing but blanks and dashes stands before; -1: of another one.
static int column_of(Str text, Span key) {
    const size_t start = line_start(text, key.start);
    for (size_t i = start; i < key.start; i++) {
        if (text.data[i] != ' ' && text.data[i] != '-') {
            return -1;
        }
    }
    return (int)(key.start - start);
}

static Str blanks(Arena *arena, size_t count) {
    StrBuf text = { .arena = arena };
    strbuf_add_repeated(&text, ' ', count);
    return strbuf_str(&text);
}

// As deep as the map stands in the one around it.
static Str step_of(Arena *arena, Str text, const Target *target, int column) {
    const int outer = span_is_none(target->outer) ? -1 : column_of(text, target->outer);
    const bool is_known = outer >= 0 && column > outer && column - outer <= INDENT_MAX;
    return blanks(arena, is_known ? (size_t)(column - outer) : INDENT);
}

static char value_quote(Str text, const DataEntry *entry) {
    const Data *value = entry->value;
    const bool is_plain = value->kind == DATA_STRING && value->tag.len == 0 && is_word(value->string);
    return is_plain ? quote_at(text, value->span) : '\0';
}

static Style style_of(Arena *arena, Str text, const Target *target) {
    const DataEntry *entry = &target->map->entries[target->beside];
    const size_t start = line_start(text, entry->key_span.start);
    const size_t colon = str_find(text, STR(":"), entry->key_span.end);
    const Str before = str_slice(text, start, entry->key_span.start);
    Style style = { .quote = quote_at(text, entry->key_span), .value_quote = value_quote(text, entry) };
    style.is_in_brackets = text.data[target->map->span.start] == '{';
    style.is_of_json = style.is_in_brackets && style.quote == '"';
    const bool is_tight = style.is_of_json && memchr(" \t\r\n", str_at(text, colon + 1), 5) == NULL;
    style.gap = is_tight ? STR("") : STR(" ");
    style.has_lines = !style.is_in_brackets || str_trim(before).len == 0;
    const int column = column_of(text, entry->key_span);
    style.indent = style.is_in_brackets ? before : blanks(arena, column < 0 ? 0 : (size_t)column);
    style.step = step_of(arena, text, target, column);
    return style;
}

// Whether a line of it ends with the sign of a text that follows on lines of its own.
static bool has_text_of_lines(Str text) {
    size_t end = str_find(text, STR("\n"), 0);
    for (size_t start = 0; start < text.len; start = end + 1, end = str_find(text, STR("\n"), start)) {
        Str line = str_trim(str_slice(text, start, end));
        while (line.len > 0 &&
               (memchr("+-", line.data[line.len - 1], 2) != NULL || char_is_digit(line.data[line.len - 1]))) {
            line.len--;
        }
        if (str_ends_with(line, STR("|")) || str_ends_with(line, STR(">")) || str_has(line, "| #") ||
            str_has(line, "> #")) {
            return true;
        }
    }
    return false;
}

// The end of the last line of an entry; 0 where it does not end there.
static uint32_t line_end(Str text, Span whole) {
    if (span_is_none(whole) || has_text_of_lines(str_slice(text, whole.start, whole.end))) {
        return 0;
    }
    size_t end = str_find(text, STR("\n"), whole.end);
    end = end > text.len ? text.len : end;
    end -= end > whole.end && text.data[end - 1] == '\r';
    const Str rest = str_slice(text, whole.end, end);
    const bool is_end =
        str_trim(rest).len == 0 || (str_at(rest, 0) == ' ' && str_starts_with(str_trim(rest), STR("#")));
    return is_end && text.data[whole.end - 1] != '\n' ? (uint32_t)end : 0;
}

// ---- what is put where ---------------------------------------------------------------------------------------------

static bool put_on_line(Arena *arena, Str text, const Target *target, Str key, DiagFix *fix) {
    const DataEntry *entry = &target->map->entries[target->beside];
    if (column_of(text, entry->key_span) < 0) {
        return false;
    }
    const Style style = style_of(arena, text, target);
    const Str words = entry_words(arena, &style, key, fix->replacement);
    const uint32_t end = line_end(text, entry_text(entry));
    const uint32_t at = end > 0 ? end : entry->key_span.start;
    fix->span = (Span){ .source = entry->key_span.source, .start = at, .end = at };
    fix->replacement = end > 0 ? str_format(arena, "\n%.*s%.*s", STR_ARG(style.indent), STR_ARG(words))
                               : str_format(arena, "%.*s\n%.*s", STR_ARG(words), STR_ARG(style.indent));
    return true;
}

static bool put_in_brackets(Arena *arena, Str text, const Target *target, Str key, DiagFix *fix) {
    const DataEntry *entry = &target->map->entries[target->beside];
    const Span whole = entry_text(entry);
    const Style style = style_of(arena, text, target);
    const Str words = entry_words(arena, &style, key, fix->replacement);
    fix->span = (Span){ .source = whole.source, .start = whole.end, .end = whole.end };
    fix->replacement = style.has_lines ? str_format(arena, ",\n%.*s%.*s", STR_ARG(style.indent), STR_ARG(words))
                                       : str_format(arena, ",%.*s%.*s", STR_ARG(style.gap), STR_ARG(words));
    return !span_is_none(whole) && whole.end < target->map->span.end;
}

// `{}` gets its first entry.
static bool put_in_empty(Arena *arena, Str text, const Target *target, Str key, DiagFix *fix) {
    const Span map = target->map->span;
    const Str there = str_slice(text, map.start, map.end);
    const bool is_empty = str_starts_with(there, STR("{")) && str_ends_with(there, STR("}")) &&
                          str_trim(str_slice(there, 1, there.len - 1)).len == 0;
    const char quote = quote_at(text, target->outer);
    const Style style = { .gap = STR(" "), .quote = quote, .is_of_json = quote == '"', .is_in_brackets = true };
    const Str words = entry_words(arena, &style, key, fix->replacement);
    fix->span = map;
    fix->replacement = str_format(arena, "{ %.*s }", STR_ARG(words));
    return is_empty;
}

static bool find_in_files(Target *target, const DiagFix *fix, const Plan *const *plans, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const PlanFile *file = plans[i]->file;
        for (uint32_t p = 0; file != NULL && p < file->pieces.count; p++) {
            if (find(target, fix, file->pieces.items[p].data, SPAN_NONE, false)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_in_one_place(const Target *target, const Plan *const *plans, uint32_t count) {
    uint32_t places = 0;
    for (uint32_t i = 0; i < count; i++) {
        const PlanFile *file = plans[i]->file;
        for (uint32_t p = 0; file != NULL && p < file->pieces.count; p++) {
            places += count_map(target, file->pieces.items[p].data);
        }
    }
    return places == 1;
}

// ---- items ---------------------------------------------------------------------------------------------------------

// The value at a place, and what it is in.
typedef struct {
    const Data *item; // NULL: not found
    const Data *list; // NULL: it is the value of a key
    uint32_t count;   // in how many places it stands
    bool is_decided;
} Item;

static void find_item(Item *found, const Data *data, const Data *list, Span place, bool is_decided) {
    const bool is_call = data->kind == DATA_MAP && data->count == 1 && is_function(data->entries[0].key);
    if ((is_call || (data->kind != DATA_MAP && data->kind != DATA_LIST)) && !span_is_none(data->span) &&
        span_equal(data->span, place)) {
        *found = (Item){ data, list, found->count + 1, is_decided || found->is_decided };
        return;
    }
    is_decided = is_decided || data->tag.len > 0;
    for (uint32_t i = 0; data->kind == DATA_MAP && i < data->count; i++) {
        find_item(found, data->entries[i].value, NULL, place, is_decided || is_function(data->entries[i].key));
    }
    for (uint32_t i = 0; data->kind == DATA_LIST && i < data->count; i++) {
        find_item(found, data->items[i], data, place, is_decided);
    }
}

// Where the value begins with its tag: `!Sub` of a call, which the reader has made a map; 0 of a call in its long form.
static uint32_t start_of(Str text, const Data *item) {
    if (item->kind != DATA_MAP) {
        return item->span.start;
    }
    const uint32_t end = item->span.start > 0 ? item->span.start - 1 : 0;
    uint32_t start = end;
    while (start > 0 && char_is_of_name(text.data[start - 1])) {
        start--;
    }
    const bool is_tag = start > 0 && start < end && text.data[end] == ' ' && text.data[start - 1] == '!';
    return is_tag ? start - 1 : 0;
}

// Nothing in it means something else in brackets.
static bool may_stand_in_brackets(Str text) {
    const Str value = str_at(text, 0) == '!' ? str_trim(str_slice(text, str_find(text, STR(" "), 0), text.len)) : text;
    const char first = str_at(value, 0);
    bool may = first == '"' || first == '\'';
    for (size_t i = 0; !may && i < value.len; i++) {
        if (memchr("{}[],#", value.data[i], 6) != NULL) {
            return false;
        }
    }
    return str_find(text, STR("\n"), 0) >= text.len && memchr("|>*&", first, 4) == NULL;
}

static bool put_item(Arena *arena, Str text, const Item *found, DiagFix *fix) {
    const Data *item = found->item;
    const uint32_t start = start_of(text, item);
    const bool is_json = str_ends_with(str_trim(text), STR("}")) && quote_at(text, item->span) == '"' &&
                         str_at(str_trim(text), 0) == '{';
    const Span whole = { .source = item->span.source, .start = start, .end = item->span.end };
    const Str old = str_slice(text, start, item->span.end);
    const Str value = is_json ? str_format(arena, "\"%.*s\"", STR_ARG(fix->replacement)) : fix->replacement;
    const int column = column_of(text, whole);
    const uint32_t end = line_end(text, whole);
    if (start == 0 || (is_json && str_at(fix->replacement, 0) == '!')) {
        return false;
    }
    if (found->list != NULL && text.data[found->list->span.start] != '[') {
        const Str indent = column < 2 ? STR_NONE : blanks(arena, (size_t)column - 2);
        const bool is_dash = column >= 2 && str_is(str_slice(text, start - 2, start), "- ");
        fix->span.start = fix->span.end = end;
        fix->replacement = str_format(arena, "\n%.*s- %.*s", STR_ARG(indent), STR_ARG(value));
        return is_dash && end > 0;
    }
    if (found->list != NULL) {
        fix->span.start = fix->span.end = item->span.end;
        fix->replacement = str_format(arena, ", %.*s", STR_ARG(value));
        return may_stand_in_brackets(value);
    }
    fix->span = whole;
    fix->replacement = str_format(arena, "[%.*s, %.*s]", STR_ARG(old), STR_ARG(value));
    return may_stand_in_brackets(old) && may_stand_in_brackets(value);
}

static bool settle_item(Session *session, const Plan *const *plans, uint32_t count, DiagFix *fix) {
    Item found = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        const PlanFile *file = plans[i]->file;
        for (uint32_t p = 0; file != NULL && p < file->pieces.count; p++) {
            find_item(&found, file->pieces.items[p].data, NULL, fix->span, false);
        }
    }
    fix->beside = fix->span;
    return found.count == 1 && !found.is_decided &&
           put_item(session->arena, source_get(session, fix->span.source)->text, &found, fix);
}

// ---- all of them ---------------------------------------------------------------------------------------------------

static bool settle(Session *session, const Plan *const *plans, uint32_t count, DiagFix *fix) {
    Target target = { 0 };
    Str key = fix->key;
    if (!find_in_files(&target, fix, plans, count) || target.is_decided || !is_in_one_place(&target, plans, count) ||
        !descend(&target, &key)) {
        return false;
    }
    const Data *map = target.map;
    const Str text = source_get(session, map->span.source)->text;
    fix->beside = map->count == 0 ? map->span : map->entries[target.beside].key_span;
    fix->key = str_replaced(session->arena, key, STR("|"), STR("."));
    return map->count == 0                     ? put_in_empty(session->arena, text, &target, key, fix)
           : text.data[map->span.start] == '{' ? put_in_brackets(session->arena, text, &target, key, fix)
                                               : put_on_line(session->arena, text, &target, key, fix);
}

void insertions_settle(Session *session, const Plan *const *plans, uint32_t count) {
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        Diag *diag = session->diags.items.items[i];
        for (uint32_t k = 0; k < diag->fixes.count; k++) {
            DiagFix *fix = &diag->fixes.items[k];
            if (fix->part == ADD_BESIDE || fix->part == ADD_INTO) {
                const bool is_settled =
                    fix->key.len == 0 ? settle_item(session, plans, count, fix) : settle(session, plans, count, fix);
                diag->fixes.count = is_settled ? diag->fixes.count : 0;
                fix->part = PART_NONE;
            }
        }
    }
}

static void add(const Rules *rules, Diag *diag, Span place, Str key, Str value, DiagPart part) {
    if (!diag->is_dropped && !span_is_none(place) && source_get(rules->session, place.source)->is_checked) {
        diag_fix(rules->session, diag, place, value);
        DiagFix *fix = &diag->fixes.items[diag->fixes.count - 1];
        fix->replacement = value;
        fix->key = key;
        fix->part = part;
    }
}

void rule_insert_beside(const Rules *rules, Diag *diag, Span place, Str key, Str value) {
    add(rules, diag, place, key, value, ADD_BESIDE);
}

void rule_insert_into(const Rules *rules, Diag *diag, Span place, Str key, Str value) {
    add(rules, diag, place, key, value, ADD_INTO);
}

void rule_insert_item(const Rules *rules, Diag *diag, Span place, Str value) {
    add(rules, diag, place, STR_NONE, value, ADD_BESIDE);
}
