// Rules about keys and items of an object that the API server holds against each other: how many of some keys a map has,
// what no two items have in common, and which of two numbers is the smaller (schema/object_rules.def).
#include "compiler/plan/rules/placeholder.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/base/str_map.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/object_part.h"
#include "compiler/plan/model/object_value.h"

typedef enum { FIELDS_ONE_OF, FIELDS_UNIQUE, FIELDS_ORDERED, FIELDS_LOWEST } FieldsForm;

typedef struct {
    FieldsForm form;
    const char *place;
    int least;
    int most;
    const char *first;
    const char *second;
} FieldsRow;

static const FieldsRow ROWS[] = {
#define ONE_OF(map, least, most, keys) { FIELDS_ONE_OF, map, least, most, keys, NULL },
#define UNIQUE(list, key) { FIELDS_UNIQUE, list, 0, 0, key, NULL },
#define ORDERED(map, least, most) { FIELDS_ORDERED, map, 0, 0, least, most },
#define LOWEST(list, key, word) { FIELDS_LOWEST, list, 0, 0, key, word },
#include "schema/object_rules.def"
};

typedef struct {
    Session *session;
    Arena *arena;
    const PlanObject *object;
    const FieldsRow *row;
} FieldsCheck;

// Another program makes the pods of others.
static bool makes_pods(Str type) {
    static const char *const OWN[] = { "v1/", "apps/", "batch/" };
    return str_starts_with_any(type, OWN, COUNT_OF(OWN));
}

// "Kubernetes refuses this JobSet", or "refuses this JobSet's pods".
static Diag *refuse(const FieldsCheck *check, const ObjectPart *part, Span span, Str why) {
    const Str type = check->object->resource->type;
    const char *whose = part->is_of_pods && !makes_pods(type) ? "'s pods" : "";
    const Str kind = str_format(check->arena, "%.*s%s", STR_ARG(str_after_last(type, '/')), whose);
    const Subject *subject = check->object->subject;
    const char *text = str_c(check->arena, why);
    return plan_report(check->session, subject, span, DIAG(object_refused), STR_ARG(kind), text);
}

// ---- how many of some keys -----------------------------------------------------------------------------------------

static void check_none(const FieldsCheck *check, const ObjectPart *part, Str keys) {
    const bool is_one = str_find(keys, STR("|"), 0) == keys.len;
    const char *owner = part->key.len == 0 ? "it" : part->is_item ? "an item of" : "its";
    const Str key = part->key.len == 0 ? STR_NONE : str_format(check->arena, " `%.*s`", STR_ARG(part->key));
    const char *has = is_one ? "has no" : "has none of";
    const Str list = words_list(check->arena, keys);
    const Str why = str_format(check->arena, "%s%.*s %s %.*s", owner, STR_ARG(key), has, STR_ARG(list));
    Diag *diag = refuse(check, part, part->span, why);
    diag_help(check->session, diag, is_one ? "write it" : "write one of them");
}

static void say_beside(const FieldsCheck *check, const ObjectPart *part, const ValueEntry *first,
                       const ValueEntry *entry) {
    const Str one = first->key;
    const Str why = str_format(check->arena, "`%.*s` stands beside `%.*s`", STR_ARG(entry->key), STR_ARG(one));
    Diag *diag = refuse(check, part, entry->key_span, why);
    diag_label(check->session, diag, first->key_span, "and this");
    diag_help(check->session, diag, "leave one of the two out");
}

static bool is_empty(const Value *value) {
    const bool is_no_text = value->kind == VALUE_STRING && value->string.len == 0;
    const bool is_no_item = value->kind == VALUE_LIST && value->list.count == 0;
    return value->kind == VALUE_NULL || is_no_text || is_no_item;
}

static void check_keys(const FieldsCheck *check, const ObjectPart *part) {
    const Str all = str_of(check->row->first);
    const size_t blank = str_find(all, STR(" "), 0);
    const Str keys = str_slice(all, 0, blank);
    const Str older = str_slice(all, blank + 1, all.len);
    bool has_older = false;
    const ValueEntry *first = NULL;
    int count = 0;
    for (uint32_t i = 0; i < part->value->map.count; i++) {
        const ValueEntry *entry = &part->value->map.entries[i];
        has_older = has_older || words_have(older, entry->key);
        if (is_empty(entry->value) || !words_have(keys, entry->key)) {
            continue;
        }
        if (++count > check->row->most) {
            say_beside(check, part, first, entry);
            return;
        }
        first = entry;
    }
    if (count < check->row->least && !has_older) {
        check_none(check, part, keys);
    }
}

// ---- what no two items have ----------------------------------------------------------------------------------------

static void say_twice(const FieldsCheck *check, const ObjectPart *part, const Value *before, const Value *value) {
    const char *key = check->row->first;
    const Str text = object_text(value);
    const Str list = part->key;
    if (key[0] == '\0') {
        const Str why = str_format(check->arena, "`%.*s` stands twice in `%.*s`", STR_ARG(text), STR_ARG(list));
        Diag *diag = refuse(check, part, value->span, why);
        diag_label(check->session, diag, before->span, "the first");
        diag_help(check->session, diag, "leave one of the two out");
        return;
    }
    const Str which = str_format(check->arena, "the `%s` `%.*s`", key, STR_ARG(text));
    const Str why = str_format(check->arena, "two of its `%.*s` have %.*s", STR_ARG(list), STR_ARG(which));
    Diag *diag = refuse(check, part, value->span, why);
    diag_label(check->session, diag, before->span, "the first");
    diag_help(check->session, diag, "write another one, or leave one out");
}

static void check_unique(const FieldsCheck *check, const ObjectPart *part) {
    const char *key = check->row->first;
    StrMap seen = { .arena = check->arena };
    for (uint32_t i = 0; i < part->value->list.count; i++) {
        const Value *item = part->value->list.items[i];
        const Value *value = key[0] == '\0' ? item : object_get(item, key);
        const Str text = object_text(value);
        const Value *before = text.len == 0 || placeholder_is_open(text) ? NULL : str_map_add(&seen, text, value);
        if (before != NULL) {
            say_twice(check, part, before, value);
            return;
        }
    }
}

static void check_lowest(const FieldsCheck *check, const ObjectPart *part) {
    const char *word = check->row->second;
    for (uint32_t i = 0; i + 1 < part->value->list.count; i++) {
        const Value *value = object_get(part->value->list.items[i], check->row->first);
        if (str_is(object_text(value), word)) {
            const Str why = str_format(check->arena, "`%s` is not the last of its `%.*s`", word, STR_ARG(part->key));
            Diag *diag = refuse(check, part, value->span, why);
            diag_help(check->session, diag, "move it to the end: nothing is divided below it");
            return;
        }
    }
}

// ---- which is the smaller ------------------------------------------------------------------------------------------

static void check_numbers(const FieldsCheck *check, const ObjectPart *part, const Value *least, const Value *most) {
    double low;
    double high;
    if (least == NULL || most == NULL || !quantity_read(least, &low) || !quantity_read(most, &high) || low <= high) {
        return;
    }
    const char *name = check->row->first;
    const Str why = str_format(check->arena, "`%s` is above `%s`", name, check->row->second);
    const Str text = source_text(check->session, most->span);
    Diag *diag = refuse(check, part, least->span, why);
    diag_label(check->session, diag, most->span, "the most");
    diag_help(check->session, diag, "write `%.*s` or less, or more there", STR_ARG(text));
}

// Of two maps, each number that both have.
static void check_order(const FieldsCheck *check, const ObjectPart *part) {
    const Value *least = plan_value_at(part->value, str_of(check->row->first));
    const Value *most = plan_value_at(part->value, str_of(check->row->second));
    const bool are_maps = least != NULL && most != NULL && least->kind == VALUE_MAP && most->kind == VALUE_MAP;
    for (uint32_t i = 0; are_maps && i < least->map.count; i++) {
        const ValueEntry *entry = &least->map.entries[i];
        check_numbers(check, part, entry->value, value_find(most, entry->key));
    }
    if (!are_maps) {
        check_numbers(check, part, least, most);
    }
}

// ----------------------------------------------------------------------------------------------------------------------

static void visit(void *context, const ObjectPart *part) {
    const FieldsCheck *check = context;
    const bool is_map = part->value->kind == VALUE_MAP;
    const bool is_list = part->value->kind == VALUE_LIST;
    if (check->row->form == FIELDS_ONE_OF && is_map) {
        check_keys(check, part);
    } else if (check->row->form == FIELDS_ORDERED && is_map) {
        check_order(check, part);
    } else if (check->row->form == FIELDS_UNIQUE && is_list) {
        check_unique(check, part);
    } else if (check->row->form == FIELDS_LOWEST && is_list) {
        check_lowest(check, part);
    }
}

void rule_object_fields(const Rules *rules, const PlanObject *object) {
    Session *session = rules->session;
    for (size_t i = 0; i < COUNT_OF(ROWS) && !object->is_changed && !plan_object_is_copy(object); i++) {
        const bool is_of_map = ROWS[i].form == FIELDS_ONE_OF || ROWS[i].form == FIELDS_ORDERED;
        FieldsCheck check = { .session = session, .arena = session->arena, .object = object, .row = &ROWS[i] };
        object_parts_visit(object, str_of(ROWS[i].place), is_of_map, visit, &check);
    }
}
