// Questions about values, and values made. A value never changes after it was made.
#include "compiler/semantics/value.h"

#include "compiler/base/str_map.h"
#include "compiler/semantics/param.h"

static const char *const VALUE_NAMES[VALUE_KIND_COUNT] = {
    [VALUE_ERROR] = "an error",       [VALUE_NULL] = "`null`",         [VALUE_BOOL] = "a bool",
    [VALUE_INT] = "an int",           [VALUE_STRING] = "a string",     [VALUE_SIZE] = "a size",
    [VALUE_RATE] = "a rate",          [VALUE_DURATION] = "a duration", [VALUE_RANGE] = "a range",
    [VALUE_WORD] = "a word",          [VALUE_LIST] = "a list",         [VALUE_MAP] = "a map",
    [VALUE_TAG] = "a tagged value",   [VALUE_BLOCK] = "a block",       [VALUE_RESOURCE] = "a resource",
    [VALUE_MODULE] = "a file in use", [VALUE_LATE] = "a late value",
};

const char *value_describe(const Value *value) {
    return value->is_real ? "a number with a fraction" : VALUE_NAMES[value->kind];
}

const Value *value_part(const Value *value, uint32_t index) {
    switch (value->kind) {
    case VALUE_RANGE:
        return index == 0 ? value->range.low : index == 1 ? value->range.high : NULL;
    case VALUE_LIST:
        return index < value->list.count ? value->list.items[index] : NULL;
    case VALUE_TAG:
        return index < value->tag.count ? value->tag.arguments[index] : NULL;
    case VALUE_MAP:
        return index < value->map.count ? value->map.entries[index].value : NULL;
    case VALUE_LATE:
        return index < value->late->part_count ? value->late->parts[index] : NULL;
    case VALUE_ERROR:
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_STRING:
    case VALUE_SIZE:
    case VALUE_RATE:
    case VALUE_DURATION:
    case VALUE_WORD:
    case VALUE_BLOCK:
    case VALUE_RESOURCE:
    case VALUE_MODULE:
    case VALUE_KIND_COUNT:
        return NULL;
    }
    return NULL;
}

bool value_is_known(const Value *value) {
    bool is_known = value->kind != VALUE_LATE && value->kind != VALUE_RESOURCE;
    const Value *part;
    for (uint32_t i = 0; is_known && (part = value_part(value, i)) != NULL; i++) {
        is_known = value_is_known(part);
    }
    return is_known;
}

bool value_may_be_null(const Value *value) {
    if (value == NULL) {
        return true;
    }
    return value->kind == VALUE_LATE && value->late->is_optional;
}

bool value_is_list(const Value *value) {
    if (value->kind == VALUE_LIST) {
        return true;
    }
    return value->kind == VALUE_LATE && value->late->type != NULL && value->late->type->kind == TYPE_LIST;
}

static bool lists_equal(const Value *const *a, uint32_t a_count, const Value *const *b, uint32_t b_count) {
    if (a_count != b_count) {
        return false;
    }
    for (uint32_t i = 0; i < a_count; i++) {
        if (!value_equal(a[i], b[i])) {
            return false;
        }
    }
    return true;
}

struct ValueIndex {
    StrMap places; // key -> its place, counted from 1; empty until first asked
};

ValueIndex *value_index(Arena *arena, uint32_t count) {
    enum { SCANNED_MAX = 16 };
    if (count <= SCANNED_MAX) {
        return NULL;
    }
    ValueIndex *index = arena_new(arena, ValueIndex);
    index->places.arena = arena;
    return index;
}

const Value *value_find(const Value *map, Str key) {
    if (map->kind != VALUE_MAP) {
        return NULL;
    }
    if (map->map.index == NULL) {
        for (uint32_t i = 0; i < map->map.count; i++) {
            if (str_equal(map->map.entries[i].key, key)) {
                return map->map.entries[i].value;
            }
        }
        return NULL;
    }
    StrMap *places = &map->map.index->places;
    for (uint32_t i = 0; places->count < map->map.count && i < map->map.count; i++) {
        str_map_add(places, map->map.entries[i].key, (void *)(uintptr_t)(i + 1));
    }
    const uintptr_t place = (uintptr_t)str_map_get(places, key);
    return place == 0 ? NULL : map->map.entries[place - 1].value;
}

static bool maps_equal(const Value *a, const Value *b) {
    if (a->map.count != b->map.count) {
        return false;
    }
    for (uint32_t i = 0; i < a->map.count; i++) {
        const ValueEntry *entry = &a->map.entries[i];
        const Value *other = value_find(b, entry->key);
        if (other == NULL || !value_equal(entry->value, other)) {
            return false;
        }
    }
    return true;
}

// Whether two late values are one expression, and so one value, whatever the deployment gives.
static bool lates_equal(const Late *a, const Late *b) {
    const bool is_same = a->kind == b->kind && a->param == b->param && a->block == b->block &&
                         a->resource == b->resource && a->index == b->index && str_equal(a->name, b->name);
    return is_same && lists_equal(a->parts, a->part_count, b->parts, b->part_count);
}

// What a value refers to, where it is a resource or its Ref: a text has the one, an attribute the other.
static const Resource *referred(const Value *value) {
    const bool is_ref = value->kind == VALUE_LATE && value->late->kind == LATE_REF;
    return value->kind == VALUE_RESOURCE ? value->resource : is_ref ? value->late->resource : NULL;
}

bool value_equal(const Value *a, const Value *b) {
    if (referred(a) != NULL || referred(b) != NULL) {
        return referred(a) == referred(b);
    }
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case VALUE_NULL:
        return true;
    case VALUE_BOOL:
        return a->boolean == b->boolean;
    case VALUE_INT:
    case VALUE_SIZE:
    case VALUE_RATE:
    case VALUE_DURATION:
        return a->integer == b->integer;
    case VALUE_STRING:
    case VALUE_WORD:
        return str_equal(a->string, b->string);
    case VALUE_RANGE:
        return value_equal(a->range.low, b->range.low) && value_equal(a->range.high, b->range.high);
    case VALUE_LIST:
        return lists_equal(a->list.items, a->list.count, b->list.items, b->list.count);
    case VALUE_MAP:
        return maps_equal(a, b);
    case VALUE_TAG:
        return str_equal(a->tag.name, b->tag.name) && a->tag.source == b->tag.source &&
               lists_equal(a->tag.arguments, a->tag.count, b->tag.arguments, b->tag.count);
    case VALUE_BLOCK:
        return a->block == b->block;
    case VALUE_MODULE:
        return a->module == b->module;
    case VALUE_LATE:
        return lates_equal(a->late, b->late);
    case VALUE_RESOURCE: // see above
    case VALUE_ERROR:
    case VALUE_KIND_COUNT:
        return a == b;
    }
    return false;
}

const Value *value_get(const Value *map, const char *key) {
    return value_find(map, str_of(key));
}

const ValueEntry *value_entry(const ValueEntry *entries, uint32_t count, const char *key) {
    const Str name = str_of(key);
    for (uint32_t i = 0; i < count; i++) {
        if (str_equal(entries[i].key, name)) {
            return &entries[i];
        }
    }
    return NULL;
}

// ---- making --------------------------------------------------------------------------------------------------------

Value *value_new(Arena *arena, ValueKind kind, Span span, const Origin *origin) {
    Value *value = arena_new(arena, Value);
    *value = (Value){ .kind = kind, .span = span, .origin = origin };
    return value;
}

Value *value_of_span(Arena *arena, ValueKind kind, Span span) {
    typedef struct {
        Value value;
        Origin origin;
    } ValueOfSpan;
    ValueOfSpan *both = arena_new(arena, ValueOfSpan);
    both->origin.kind = ORIGIN_SPAN;
    both->origin.span = span;
    both->value.kind = kind;
    both->value.span = span;
    both->value.origin = &both->origin;
    return &both->value;
}

const Value *value_int(Arena *arena, Span span, const Origin *origin, int64_t integer) {
    Value *value = value_new(arena, VALUE_INT, span, origin);
    value->integer = integer;
    return value;
}

const Value *value_string(Arena *arena, Span span, const Origin *origin, Str string) {
    Value *value = value_new(arena, VALUE_STRING, span, origin);
    value->string = string;
    return value;
}

const Value *value_list(Arena *arena, Span span, const Origin *origin, const Value **items, uint32_t count) {
    Value *value = value_new(arena, VALUE_LIST, span, origin);
    value->list.items = items;
    value->list.count = count;
    return value;
}

// ---- where the deployment gives nothing ----------------------------------------------------------------------------

const Value *value_by_default(const Value *value) {
    const bool is_param = value->kind == VALUE_LATE && value->late->kind == LATE_PARAM;
    return is_param && value->late->param->initial != NULL ? value->late->param->initial : value;
}

// Stand-ins have the length and the characters of the real values.
static Str stand_in(Str name) {
    return str_is(name, "account")     ? STR("123456789012")
           : str_is(name, "region")    ? STR("us-east-1")
           : str_is(name, "partition") ? STR("aws")
                                       : STR_NONE;
}

bool value_text_by_default(Arena *arena, const Value *value, Str *text) {
    if (value->kind == VALUE_STRING || value->kind == VALUE_INT) {
        *text = value->kind == VALUE_STRING ? value->string : value_print(arena, value);
        return true;
    }
    if (value->kind != VALUE_LATE) {
        return false;
    }
    const Late *late = value->late;
    if (late->kind == LATE_PARAM) {
        return value_by_default(value) != value && value_text_by_default(arena, value_by_default(value), text);
    }
    if (late->kind == LATE_PSEUDO) {
        *text = stand_in(late->name);
        return text->len > 0;
    }
    StrBuf whole = { .arena = arena };
    for (uint32_t i = 0; late->kind == LATE_TEXT && i < late->part_count; i++) {
        Str part;
        if (!value_text_by_default(arena, late->parts[i], &part)) {
            return false;
        }
        strbuf_add(&whole, part);
    }
    *text = strbuf_str(&whole);
    return late->kind == LATE_TEXT;
}
