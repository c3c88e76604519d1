// Holds values against the keys that eksctl and ParallelCluster take in their files (schema/patches.def). Both tools stop
// at a key that they do not know and at a value of another kind.
#include "compiler/plan/rules/tool_keys.h"

#include "compiler/base/suggest.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/combinations.h"
#include "compiler/plan/rules/placeholder.h"
#include "compiler/plan/rules/rule_remove.h"
#include "compiler/plan/rules/rule_word.h"

static const KeysRow KEYS_ROWS[] = {
#define KEYS(tool, name, keys) { tool, name, keys },
#include "schema/patches.def"
};

typedef struct {
    PatchTool tool;
    const char *map;
    const char *key;
    const char *help;
} GoneRow;

// Keys that a release no longer takes.
static const GoneRow GONE_ROWS[] = {
#define GONE(tool, map, key, help) { tool, map, key, help },
#include "schema/patches.def"
};

typedef struct {
    const char *name;
    const char *release;
} ToolRow;

static const ToolRow TOOL_ROWS[] = {
    [PATCH_EKSCTL] = { "eksctl", "eksctl 0.230" },
    [PATCH_PCLUSTER] = { "ParallelCluster", "ParallelCluster 3.15" },
};

const KeysRow *keys_find_map(PatchTool tool, Str name) {
    for (size_t i = 0; i < COUNT_OF(KEYS_ROWS); i++) {
        if (KEYS_ROWS[i].tool == tool && (name.len == 0 || str_is(name, KEYS_ROWS[i].name))) {
            return &KEYS_ROWS[i]; // without a name, the tool's first: the whole file
        }
    }
    return NULL;
}

// The next key of a row, and what it takes; false at the end.
static bool next_key(const KeysRow *row, size_t *offset, Str *key, KeyTakes *takes) {
    const Str keys = str_of(row->keys);
    if (*offset >= keys.len) {
        return false;
    }
    const size_t end = str_find(keys, STR(" "), *offset);
    Str word = str_slice(keys, *offset, end);
    takes->is_required = str_ends_with(word, STR("!"));
    word.len -= takes->is_required ? 1 : 0;
    const size_t colon = str_find(word, STR(":"), 0);
    *key = str_slice(word, 0, colon);
    takes->type = str_slice(word, colon + 1, word.len);
    *offset = end + 1;
    return true;
}

const char *keys_tool_name(PatchTool tool) {
    return TOOL_ROWS[tool].name;
}

const Subject *keys_subject(const KeysCheck *check, Span span) {
    return check->configuration != NULL ? configuration_subject(check->configuration, span) : check->part->subject;
}

static const char *reason_of(const KeysCheck *check) {
    return check->configuration != NULL ? "# dtc-allow: DT1329 …" : "allow DT1329, \"…\"";
}

static void offer_keys(Suggestion *suggestion, const KeysRow *row, bool is_required) {
    size_t offset = 0;
    Str candidate;
    KeyTakes takes;
    while (next_key(row, &offset, &candidate, &takes)) {
        if (takes.is_required == is_required) {
            suggest_offer(suggestion, candidate);
        }
    }
}

// The key of `row` that is meant by an unknown one, as far as one is near. Of two, it is the one that must be there.
static Suggestion nearest(const KeysCheck *check, const KeysRow *row, Str key) {
    Suggestion suggestion = suggest_for(check->rules->session, key);
    offer_keys(&suggestion, row, true);
    offer_keys(&suggestion, row, false);
    return suggestion;
}

static const GoneRow *find_gone(PatchTool tool, const char *map, Str key) {
    for (size_t i = 0; i < COUNT_OF(GONE_ROWS); i++) {
        const GoneRow *row = &GONE_ROWS[i];
        if (row->tool == tool && strcmp(row->map, map) == 0 && str_is(key, row->key)) {
            return row;
        }
    }
    return NULL;
}

// Maps of the tool that have the key: "`Addon` and `ServiceAccount`"; empty where none has it, or too many.
static Str others_with(Arena *arena, PatchTool tool, Str key) {
    enum { NAMED_MAX = 3 };
    StrBuf names = { .arena = arena };
    int count = 0;
    for (size_t i = 0; i < COUNT_OF(KEYS_ROWS); i++) {
        KeyTakes takes;
        if (KEYS_ROWS[i].tool == tool && keys_find(&KEYS_ROWS[i], key, &takes)) {
            strbuf_add_format(&names, "%s`%s`", count++ == 0 ? "" : ", ", KEYS_ROWS[i].name);
        }
    }
    return count > NAMED_MAX ? STR_NONE : strbuf_str(&names);
}

void keys_unknown(const KeysCheck *check, const KeysRow *row, Str key, Span span) {
    Session *session = check->rules->session;
    const ToolRow *tool = &TOOL_ROWS[check->tool];
    Diag *diag = plan_report(session, keys_subject(check, span), span, DIAG(patch_key_unknown), STR_ARG(key), row->name,
                             tool->name);
    const Suggestion suggestion = nearest(check, row, key);
    const GoneRow *gone = find_gone(check->tool, row->name, key);
    if (gone != NULL) {
        diag_help(session, diag, "%s", gone->help);
        rule_remove(check->rules, diag, span, true);
    } else if (!suggest_say(session, diag, &suggestion, span)) {
        const Str others = others_with(session->arena, check->tool, key);
        if (others.len > 0) {
            diag_help(session, diag, "write it where it belongs: it is a key of %.*s", STR_ARG(others));
        }
        diag_help(session, diag, "remove it, or say why: `%s`", reason_of(check));
    }
    diag_note(session, diag, "the keys are those of %s", tool->release);
}

// What a key of `row` takes; false of an unknown key, which takes anything.
bool keys_find(const KeysRow *row, Str key, KeyTakes *takes) {
    size_t offset = 0;
    Str candidate;
    while (next_key(row, &offset, &candidate, takes)) {
        if (str_equal(candidate, key)) {
            return true;
        }
    }
    *takes = (KeyTakes){ 0 };
    return false;
}

// ---- values ----------------------------------------------------------------------------------------------------

typedef enum { FORM_ANY, FORM_STRING, FORM_INTEGER, FORM_NUMBER, FORM_BOOLEAN, FORM_MAP, FORM_LIST, FORM_WORDS } Form;

static const struct {
    const char *name;
    Form form;
} FORMS[] = {
    { "string", FORM_STRING },   { "integer", FORM_INTEGER }, { "number", FORM_NUMBER },
    { "boolean", FORM_BOOLEAN }, { "map", FORM_MAP },         { "list", FORM_LIST },
};

static Form form_of(const KeysCheck *check, Str type) {
    for (size_t i = 0; i < COUNT_OF(FORMS); i++) {
        if (str_is(type, FORMS[i].name)) {
            return FORMS[i].form;
        }
    }
    if (type.len == 0 || type.data[0] == '*') {
        return FORM_ANY;
    }
    return type.data[0] == '['                        ? FORM_LIST
           : type.data[0] == '|'                      ? FORM_WORDS
           : type.data[0] == '{'                      ? FORM_MAP
           : keys_find_map(check->tool, type) == NULL ? FORM_ANY
                                                      : FORM_MAP;
}

static const char *form_name(Form form) {
    static const char *const NAMES[] = {
        [FORM_ANY] = "anything",    [FORM_STRING] = "a string",       [FORM_INTEGER] = "an integer",
        [FORM_NUMBER] = "a number", [FORM_BOOLEAN] = "true or false", [FORM_MAP] = "a map",
        [FORM_LIST] = "a list",     [FORM_WORDS] = "a word",
    };
    return NAMES[form];
}

// The form of a value that is known now and is written as it is; FORM_ANY of any other.
static Form form_of_value(const Value *value) {
    return value->kind == VALUE_STRING ? value->is_real ? FORM_NUMBER : FORM_STRING
           : value->kind == VALUE_INT  ? FORM_INTEGER
           : value->kind == VALUE_BOOL ? FORM_BOOLEAN
           : value->kind == VALUE_MAP  ? FORM_MAP
           : value->kind == VALUE_LIST ? FORM_LIST
                                       : FORM_ANY;
}

// ParallelCluster (marshmallow) reads numbers and switches from strings, and a number as a switch. eksctl reads JSON,
// where each has its own kind.
static bool is_read_as(const KeysCheck *check, Form takes, Form has) {
    const bool is_scalar = has == FORM_STRING || has == FORM_INTEGER || has == FORM_NUMBER || has == FORM_BOOLEAN;
    const bool is_lenient = takes == FORM_INTEGER || takes == FORM_NUMBER || takes == FORM_BOOLEAN;
    return takes == has || takes == FORM_ANY || has == FORM_ANY || (takes == FORM_WORDS && is_scalar) ||
           (takes == FORM_NUMBER && has == FORM_INTEGER) || (check->tool == PATCH_PCLUSTER && is_lenient && is_scalar);
}

// Marshmallow cannot read a number that Python's int() and float() do not take, and a switch that is none of its words.
static bool is_unreadable(Form takes, const Value *value) {
    static const char *const SWITCHES[] = { "true", "false", "t", "f", "on", "off", "y", "n", "yes", "no", "1", "0" };
    if (value->kind != VALUE_STRING || (takes != FORM_INTEGER && takes != FORM_NUMBER && takes != FORM_BOOLEAN)) {
        return false;
    }
    bool is_one = false;
    for (size_t i = 0; takes == FORM_BOOLEAN && i < COUNT_OF(SWITCHES); i++) {
        is_one = is_one || str_is_in_any_case(value->string, SWITCHES[i]);
    }
    const Str text = str_trim(value->string);
    bool is_clean = true;
    for (size_t i = 0; takes != FORM_BOOLEAN && i < text.len; i++) {
        const char c = text.data[i];
        const bool is_digit = c >= '0' && c <= '9';
        const bool is_sign = c == '+' || c == '-' || c == '_';
        is_one = is_one || is_digit;
        is_clean = is_clean && (is_digit || is_sign || (takes == FORM_NUMBER && (c == '.' || c == 'e' || c == 'E')));
    }
    return !is_one || !is_clean;
}

static void check_words(const KeysCheck *check, Str name, Str words, const Value *value) {
    Session *session = check->rules->session;
    const Str text = value->kind == VALUE_STRING ? value->string
                     : value->kind == VALUE_INT  ? str_format(session->arena, "%" PRId64, value->integer)
                                                 : STR_NONE;
    size_t offset = 0;
    Str word;
    while (words_next(words, &offset, &word)) {
        if (str_equal(word, text) || (check->tool == PATCH_EKSCTL && str_equal_in_any_case(text, word))) {
            return;
        }
    }
    if (text.len == 0) {
        return;
    }
    const ToolRow *tool = &TOOL_ROWS[check->tool];
    Diag *diag = plan_report(session, keys_subject(check, value->span), value->span, DIAG(patch_value_unknown),
                             STR_ARG(text), STR_ARG(name), tool->name);
    rule_suggest_words(check->rules, diag, text, words, value->span);
    diag_note(session, diag, "the values are those of %s", tool->release);
}

// Whether another patch of the part gives the key to what this one writes.
static bool is_given_later(const KeysCheck *check, Str key) {
    const Str end = str_format(check->rules->session->arena, ".%.*s", STR_ARG(key));
    for (uint32_t i = 0; check->part != NULL && i < check->part->patches.count; i++) {
        if (str_ends_with(check->part->patches.items[i].path, end)) {
            return true;
        }
    }
    return false;
}

// Whether the map has the key, or one that is reported as unknown and is near to it: that mistake is said then.
static bool has_key(const KeysCheck *check, const KeysRow *row, const Value *map, Str key) {
    bool has = false;
    for (uint32_t i = 0; i < map->map.count && !has; i++) {
        const Str other = map->map.entries[i].key;
        KeyTakes takes;
        has = str_equal(other, key) ||
              (!keys_find(row, other, &takes) && str_equal(nearest(check, row, other).best, key) &&
               !plan_allows(keys_subject(check, map->map.entries[i].key_span), DIAG_patch_key_unknown));
    }
    return has;
}

// What a map that the patch writes lacks.
static void check_required(const KeysCheck *check, const KeysRow *row, const Value *value) {
    const ToolRow *tool = &TOOL_ROWS[check->tool];
    size_t offset = 0;
    Str key;
    KeyTakes takes;
    while (next_key(row, &offset, &key, &takes)) {
        if (takes.is_required && !is_given_later(check, key) && !has_key(check, row, value, key)) {
            Diag *diag = plan_report(check->rules->session, keys_subject(check, value->span), value->span,
                                     DIAG(patch_key_missing), row->name, STR_ARG(key), tool->name);
            diag_help(check->rules->session, diag, "write `%.*s` into it", STR_ARG(key));
            diag_note(check->rules->session, diag, "the schema is that of %s", tool->release);
        }
    }
}

static void check_map(const KeysCheck *check, const KeysRow *row, const Value *value) {
    check_required(check, row, value);
    combinations_check(check, row->name, value);
    for (uint32_t i = 0; i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        KeyTakes takes;
        if (!keys_find(row, entry->key, &takes)) {
            keys_unknown(check, row, entry->key, entry->key_span);
        }
        keys_check(check, entry->key, takes, entry->value);
    }
}

bool keys_are_open(Str type) {
    return str_starts_with(type, STR("{"));
}

// The type of the items of a list, of the values of an open map, and of `*Name` itself; empty: not known.
Str keys_item_type(Str type) {
    return str_starts_with(type, STR("[")) || keys_are_open(type) ? str_slice(type, 1, type.len - 1)
           : str_starts_with(type, STR("*"))                      ? str_slice(type, 1, type.len)
                                                                  : STR_NONE;
}

// Whether it is a text that is to be replaced, which DT0389 says.
static bool is_placeholder(const Rules *rules, const Value *value) {
    size_t start;
    size_t end;
    const bool is_filled = value->kind == VALUE_MAP && value->map.count == 1 &&
                           placeholder_is_filled_by(&rules->plan->fillers, source_text(rules->session, value->span));
    return is_filled || (value->kind == VALUE_STRING && placeholder_find(value->string, TEXT_PLAIN, 0, &start, &end));
}

// A text that a program reads as a number or as true or false, where it stands without quotes.
static bool is_form(Form form, Str text) {
    if (form == FORM_BOOLEAN) {
        return str_is(text, "true") || str_is(text, "false");
    }
    size_t digits = 0;
    while (digits < text.len && char_is_digit(text.data[digits])) {
        digits++;
    }
    return form == FORM_INTEGER && digits > 0 && digits == text.len && (text.len == 1 || text.data[0] != '0');
}

// A fix for a scalar that has quotes and is to have none, or the other way round.
static void replace_form(const Rules *rules, Diag *diag, Form form, const Value *value) {
    Arena *arena = rules->session->arena;
    const Span span = value->span;
    if (form == FORM_STRING && (value->kind == VALUE_INT || value->kind == VALUE_BOOL || value->is_real)) {
        const Str text = value->is_real ? value->string : value_print(arena, value);
        rule_replace(rules, diag, span, text, str_format(arena, "\"%.*s\"", STR_ARG(text)));
    } else if (value->kind == VALUE_STRING && is_form(form, value->string) &&
               source_text(rules->session, span).len == value->string.len + 2) {
        rule_unquote(rules, diag, span);
    }
}

static void check_form(const KeysCheck *check, Str name, KeyTakes takes, const Value *value) {
    if (is_placeholder(check->rules, value)) {
        return;
    }
    const Form form = form_of(check, takes.type);
    const Form has = form_of_value(value);
    const bool is_bad_text = check->tool == PATCH_PCLUSTER && is_unreadable(form, value);
    if (is_bad_text || !is_read_as(check, form, has)) {
        Diag *diag =
            plan_report(check->rules->session, keys_subject(check, value->span), value->span, DIAG(patch_value_form),
                        STR_ARG(name), form_name(form), TOOL_ROWS[check->tool].name, form_name(has));
        diag_help(check->rules->session, diag, "write %s", form_name(form));
        replace_form(check->rules, diag, form, value);
        diag_note(check->rules->session, diag, "the schema is that of %s", TOOL_ROWS[check->tool].release);
    } else if (form == FORM_WORDS) {
        check_words(check, name, str_slice(takes.type, 1, takes.type.len), value);
    }
}

void keys_check(const KeysCheck *check, Str name, KeyTakes takes, const Value *value) {
    if (value->kind == VALUE_NULL && takes.is_required) {
        Diag *diag = plan_report(check->rules->session, keys_subject(check, value->span), value->span,
                                 DIAG(patch_key_required), STR_ARG(name), TOOL_ROWS[check->tool].name);
        diag_help(check->rules->session, diag, "write a value, or leave the key as it is");
    }
    check_form(check, name, takes, value);
    const KeyTakes item = { .type = keys_item_type(takes.type) };
    for (uint32_t i = 0; value->kind == VALUE_LIST && i < value->list.count; i++) {
        const Str item_name = str_format(check->rules->session->arena, "%.*s[%" PRIu32 "]", STR_ARG(name), i);
        keys_check(check, item_name, item, value->list.items[i]);
    }
    for (uint32_t i = 0; keys_are_open(takes.type) && value->kind == VALUE_MAP && i < value->map.count; i++) {
        keys_check(check, value->map.entries[i].key, item, value->map.entries[i].value);
    }
    const Str map = str_starts_with(takes.type, STR("*")) ? item.type : takes.type;
    const KeysRow *row = value->kind == VALUE_MAP && map.len > 0 ? keys_find_map(check->tool, map) : NULL;
    if (row != NULL) {
        check_map(check, row, value);
    }
}
