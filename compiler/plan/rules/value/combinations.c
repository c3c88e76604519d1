// Rules about keys that a service or a tool does not take together: in a map of a tool's file, in a resource of
// CloudFormation, and in an object of Kubernetes.
#include "compiler/plan/rules/combinations.h"

#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_part.h"
#include "compiler/plan/rules/combination_term.h"
#include "compiler/plan/rules/value/resource_path.h"
#include "compiler/plan/rules/rule_combination.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/rule_remove.h"

typedef struct {
    PatchTool tool;  // of files of tools
    const char *who; // of resources
    Str map;
    Str keys;
    Str others;
    const char *consequence; // NULL: it is refused
    const char *way_out;
} Row;

static const Row TOOL_ROWS[] = {
#define COMBINATION_TOOL(tool, map, keys, others) { tool, NULL, STR(map), STR(keys), STR(others), NULL, NULL },
#define HARMFUL_TOOL(tool, map, keys, others, consequence, way_out) \
    { tool, NULL, STR(map), STR(keys), STR(others), consequence, way_out },
#include "schema/combinations.def"
};

static const Row RESOURCE_ROWS[] = {
#define COMBINATION(who, map, keys, others) { PATCH_EKSCTL, who, STR(map), STR(keys), STR(others), NULL, NULL },
#define REFUSED(who, map, keys, others, way_out) { PATCH_EKSCTL, who, STR(map), STR(keys), STR(others), NULL, way_out },
#define HARMFUL(who, map, keys, others, consequence, way_out) \
    { PATCH_EKSCTL, who, STR(map), STR(keys), STR(others), consequence, way_out },
#include "schema/combinations.def"
};

static const Row OBJECT_ROWS[] = {
#define COMBINATION_OBJECT(place, keys, others, way_out) \
    { PATCH_EKSCTL, "Kubernetes", STR(place), STR(keys), STR(others), NULL, way_out },
#include "schema/combinations.def"
};

// A map that may have been written as the properties of a resource.
typedef struct {
    const ValueEntry *entries;
    uint32_t count;
} Map;

typedef struct {
    const Rules *rules;
    const Subject *subject; // NULL: the part of a tool's file that the key stands in
    const KeysCheck *keys;  // of a tool's file
    const char *who;
    bool is_part; // what is not there may stand elsewhere
} CombinationCheck;

// ---- terms -------------------------------------------------------------------------------------------------------

// The entry of a key, which may lead through maps; NULL where it is not there, or null.
static const ValueEntry *entry_of(Map map, Str key) {
    const size_t dot = str_find(key, STR("."), 0);
    const Str first = str_slice(key, 0, dot);
    for (uint32_t i = 0; i < map.count; i++) {
        const ValueEntry *entry = &map.entries[i];
        const Value *value = entry->value;
        if (dot < key.len && str_equal(entry->key, key) && value->kind != VALUE_NULL) {
            return entry; // a key with a dot in it
        }
        if (!str_equal(entry->key, first) || value->kind == VALUE_NULL) {
            continue;
        }
        const Map inner = { value->map.entries, value->map.count };
        return dot == key.len             ? entry
               : value->kind == VALUE_MAP ? entry_of(inner, str_slice(key, dot + 1, key.len))
                                          : NULL;
    }
    return NULL;
}

// A scalar as it is written, also where it is a list's only item; empty where it is none, or not known.
static Str scalar_text(Arena *arena, const Value *list) {
    const bool is_one = list->kind == VALUE_LIST && list->list.count == 1;
    const Value *value = is_one ? list->list.items[0] : list;
    return value->kind == VALUE_STRING ? value->string
           : value->kind == VALUE_INT  ? str_format(arena, "%" PRId64, value->integer)
           : value->kind == VALUE_BOOL ? str_of(value->boolean ? "true" : "false")
                                       : STR_NONE;
}

// Whether it is known that no policy of the list is the word. What a policy of one's own allows, nobody knows.
static bool is_list_without(const Value *list, Str word) {
    for (uint32_t i = 0; list->kind == VALUE_LIST && i < list->list.count; i++) {
        const Value *item = list->list.items[i];
        const Str text = item->kind == VALUE_STRING ? item->string : STR_NONE;
        if (str_find(text, STR(":aws:policy/"), 0) >= text.len || str_equal(str_after_last(text, '/'), word)) {
            return false;
        }
    }
    return list->kind == VALUE_LIST && list->list.count > 0;
}

// Another program, or somebody, puts a text in its place.
static bool is_open(Str text) {
    return memchr("$<{", text.data[0], 3) != NULL;
}

static const Subject *subject_of(const CombinationCheck *check, Span span) {
    return check->subject == NULL ? keys_subject(check->keys, span) : check->subject;
}

// `[]`, and not a list whose items are left out in a world where none of their conditions hold: nobody deploys that.
static bool is_written_empty(const CombinationCheck *check, const Value *list) {
    const Str text = str_trim(source_text(check->rules->session, list->span));
    const Str rest = str_trim(str_slice(text, 1, text.len));
    return !subject_of(check, list->span)->is_foreign || (str_starts_with(text, STR("[")) && str_is(rest, "]"));
}

static bool holds(const CombinationCheck *check, const CombinationTerm *term, const ValueEntry *entry) {
    if (entry == NULL) {
        return (term->is_absent || term->is_other) && !check->is_part;
    }
    if (term->is_list) {
        return is_list_without(entry->value, term->words);
    }
    if (term->words.len == 0) {
        const bool is_empty = entry->value->kind == VALUE_LIST && entry->value->list.count == 0;
        return is_empty ? term->is_absent && is_written_empty(check, entry->value)
                        : !term->is_absent && !value_may_be_null(entry->value);
    }
    const Str text = scalar_text(check->rules->session->arena, entry->value);
    return text.len > 0 && !is_open(text) && words_have(term->words, text) != term->is_other;
}

// ---- what is said ------------------------------------------------------------------------------------------------

// The AWS CLI begins keys in lower case.
static bool is_of_request(const CombinationCheck *check, const ValueEntry *entry) {
    const Str text = source_text(check->rules->session, entry->key_span);
    const char first = str_at(text, str_starts_with(text, STR("\"")) ? 1 : 0);
    return first >= 'a' && first <= 'z' && str_at(entry->key, 0) == first - 'a' + 'A';
}

// `authorizationConfig.iam` of `AuthorizationConfig.Iam`.
static Str request_key(Arena *arena, Str key) {
    StrBuf text = { .arena = arena };
    for (size_t i = 0; i < key.len; i++) {
        const bool is_first = i == 0 || key.data[i - 1] == '.';
        strbuf_add_format(&text, "%c", is_first ? char_small(key.data[i]) : key.data[i]);
    }
    return strbuf_str(&text);
}

// "`Key`", or "`Key: value`" in the words of the file.
static Str written(const CombinationCheck *check, const Subject *subject, const CombinationTerm *term, Str value,
                   bool is_request) {
    Arena *arena = check->rules->session->arena;
    const Str key = is_request ? request_key(arena, term->key) : term->key;
    return value.len == 0
               ? str_format(arena, "`%.*s`", STR_ARG(key))
               : str_format(arena, "`%.*s%s%.*s`", STR_ARG(key), subject->is_foreign ? ": " : " = ", STR_ARG(value));
}

static Str first_word(Str words) {
    size_t offset = 0;
    Str word = STR_NONE;
    (void)words_next(words, &offset, &word);
    return word;
}

static void report_row(const CombinationCheck *check, const Row *row, Map map, const CombinationTerm *term,
                       const ValueEntry *entry) {
    Session *session = check->rules->session;
    Arena *arena = session->arena;
    const bool has_value = term->words.len > 0 && !term->is_list;
    const Span span = has_value ? entry->value->span : entry->key_span;
    const Subject *subject = subject_of(check, span);
    const bool is_request = check->keys == NULL && is_of_request(check, entry);
    const Str key = written(check, subject, term, has_value ? scalar_text(arena, entry->value) : STR_NONE, is_request);
    StrBuf rest = { .arena = arena };
    Str missing = STR_NONE;
    Span other_span = SPAN_NONE;
    size_t offset = 0;
    CombinationTerm other;
    while (combination_next_term(row->others, &offset, &other)) {
        const ValueEntry *there = entry_of(map, other.key);
        const Str value = there == NULL         ? first_word(other.words)
                          : other.words.len > 0 ? scalar_text(arena, there->value)
                                                : STR_NONE;
        const Str text = written(check, subject, &other, value, is_request);
        strbuf_add_format(&rest, "%s%s%.*s", rest.len == 0 ? " " : " and ", there == NULL ? "without " : "beside ",
                          STR_ARG(text));
        missing = there == NULL ? text : missing;
        other_span = there == NULL ? other_span : there->key_span;
    }
    const Str others = strbuf_str(&rest);
    Diag *diag = rule_combination(check->rules, subject, span, check->who, key, others, row->consequence);
    if (!span_is_none(other_span)) {
        diag_label(session, diag, other_span, "and this");
    }
    if (row->way_out != NULL) {
        diag_help(session, diag, "%s", row->way_out);
        const Str text = term->is_other ? scalar_text(arena, entry->value) : STR_NONE;
        rule_replace(check->rules, diag, span, text, rule_word_meant(text, term->words));
    } else if (term->is_other) {
        rule_suggest_words(check->rules, diag, scalar_text(arena, entry->value), term->words, span);
    } else if (missing.len > 0) {
        diag_help(session, diag, "write %.*s, or leave %.*s out", STR_ARG(missing), STR_ARG(key));
    } else {
        diag_help(session, diag, "%s", others.len == 0 ? "leave it out" : "leave one of the two out, or change it");
        rule_remove(check->rules, diag, others.len == 0 ? span : SPAN_NONE, false);
    }
}

// ---- maps --------------------------------------------------------------------------------------------------------

// Whether a value that is none of the words is one of them in other letters: of that another rule speaks.
static bool is_misspelt(const CombinationCheck *check, const CombinationTerm *term, const ValueEntry *entry) {
    const Str text = entry == NULL ? STR_NONE : scalar_text(check->rules->session->arena, entry->value);
    size_t offset = 0;
    Str word;
    bool is = false;
    while (term->is_other && words_next(term->words, &offset, &word)) {
        is = is || str_equal_in_any_case(word, text);
    }
    return is;
}

static bool others_hold(const CombinationCheck *check, const Row *row, Map map) {
    size_t offset = 0;
    CombinationTerm other;
    while (combination_next_term(row->others, &offset, &other)) {
        const ValueEntry *entry = entry_of(map, other.key);
        if (!holds(check, &other, entry) || is_misspelt(check, &other, entry)) {
            return false;
        }
    }
    return true;
}

// Few maps have the keys of a row, so that these are asked first.
static void check_row(const CombinationCheck *check, const Row *row, Map map) {
    size_t offset = 0;
    CombinationTerm term;
    while (combination_next_term(row->keys, &offset, &term)) {
        const ValueEntry *entry = entry_of(map, term.key);
        if (entry != NULL && holds(check, &term, entry) && others_hold(check, row, map)) {
            report_row(check, row, map, &term, entry);
        }
    }
}

void combinations_check(const KeysCheck *keys, const char *name, const Value *map) {
    const CombinationCheck check = {
        .rules = keys->rules, .keys = keys, .who = keys_tool_name(keys->tool), .is_part = keys->configuration == NULL
    };
    for (size_t i = 0; i < COUNT_OF(TOOL_ROWS); i++) {
        if (TOOL_ROWS[i].tool == keys->tool && str_is_word(TOOL_ROWS[i].map, name)) {
            check_row(&check, &TOOL_ROWS[i], (Map){ map->map.entries, map->map.count });
        }
    }
}

// Goes on along the properties that lead to the map.
static void check_path(const CombinationCheck *check, const Row *row, Map map, Str path) {
    if (path.len == 0) {
        check_row(check, row, map);
        return;
    }
    const size_t end = str_find(path, STR("/"), 0);
    const ValueEntry *entry = entry_of(map, str_slice(path, 0, end));
    const Str rest = str_slice(path, end + 1, path.len);
    const Value *value = entry == NULL ? NULL : entry->value;
    if (value != NULL && value->kind == VALUE_MAP) {
        check_path(check, row, (Map){ value->map.entries, value->map.count }, rest);
    }
    for (uint32_t i = 0; value != NULL && value->kind == VALUE_LIST && i < value->list.count; i++) {
        const Value *item = value->list.items[i];
        if (item->kind == VALUE_MAP) {
            check_path(check, row, (Map){ item->map.entries, item->map.count }, rest);
        }
    }
}

void rule_combinations(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    for (size_t i = 0; i < COUNT_OF(RESOURCE_ROWS); i++) {
        const Row *row = &RESOURCE_ROWS[i];
        Str path;
        if (resource_path_of(row->map, raw->type, &path)) {
            const CombinationCheck check = { .rules = rules, .subject = resource->subject, .who = row->who };
            check_path(&check, row, (Map){ raw->properties, raw->property_count }, path);
        }
    }
}

typedef struct {
    CombinationCheck check;
    const Row *row;
} ObjectCheck;

static void visit_part(void *context, const ObjectPart *part) {
    const ObjectCheck *all = context;
    if (part->value->kind == VALUE_MAP) {
        check_row(&all->check, all->row, (Map){ part->value->map.entries, part->value->map.count });
    }
}

void rule_object_combinations(const Rules *rules, const PlanObject *object) {
    for (size_t i = 0; i < COUNT_OF(OBJECT_ROWS) && !object->is_changed && !plan_object_is_copy(object); i++) {
        ObjectCheck all = { .check = { .rules = rules, .subject = object->subject, .who = OBJECT_ROWS[i].who },
                            .row = &OBJECT_ROWS[i] };
        object_parts_visit(object, OBJECT_ROWS[i].map, true, visit_part, &all);
    }
}
