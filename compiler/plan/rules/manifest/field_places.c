// Looks for a field by its name in the types of a kind. What is found is a way out, so that only one place will do.
#include "compiler/plan/rules/manifest/field_places.h"

#include "compiler/semantics/value.h"

enum {
    DEPTH_MAX = 12,
    STEPS_MAX = 20000, // through types, of which many kinds have the same
};

typedef struct {
    const char *keys[DEPTH_MAX];
    int count;
} Way;

typedef struct {
    Str key;
    Way own; // where the author wrote it
    Way now;
    Way best;
    int best_common;
    bool is_one; // no other place is as near
    int steps;
    Arena *arena;
} PlaceSearch;

// ---- where it stands -------------------------------------------------------------------------------------------------

// Finds the map in the value, and leaves the keys that lead to it in `own`.
static bool find_map(PlaceSearch *search, const Value *value, const Value *map, int depth) {
    if (value == map) {
        search->own.count = depth;
        return true;
    }
    for (uint32_t i = 0; value->kind == VALUE_LIST && i < value->list.count; i++) {
        if (value->list.items[i]->kind == VALUE_MAP && find_map(search, value->list.items[i], map, depth)) {
            return true;
        }
    }
    for (uint32_t i = 0; value->kind == VALUE_MAP && depth < DEPTH_MAX && i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        search->own.keys[depth] = str_c(search->arena, entry->key);
        if ((entry->value->kind == VALUE_MAP || entry->value->kind == VALUE_LIST) &&
            find_map(search, entry->value, map, depth + 1)) {
            return true;
        }
    }
    return false;
}

// ---- where it could stand --------------------------------------------------------------------------------------------

static int common_keys(const Way *a, const Way *b) {
    int count = 0;
    while (count < a->count && count < b->count && strcmp(a->keys[count], b->keys[count]) == 0) {
        count++;
    }
    return count;
}

// Nearer is what has more keys of the way in common, and then what is less deep.
static void offer(PlaceSearch *search) {
    const int common = common_keys(&search->own, &search->now);
    const bool is_first = search->best.count == 0;
    const bool is_as_near = common == search->best_common;
    const bool is_higher = is_as_near && search->now.count < search->best.count;
    if (is_first || common > search->best_common || is_higher) {
        search->best = search->now;
        search->best_common = common;
        search->is_one = true;
    } else if (is_as_near && search->now.count == search->best.count) {
        search->is_one = false;
    }
}

static bool is_left_out(const char *key) {
    static const char *const KEYS[] = { "status", "metadata", "initContainers", "ephemeralContainers" };
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        is = is || strcmp(key, KEYS[i]) == 0;
    }
    return is;
}

static void search_type(PlaceSearch *search, const ObjectTypeRow *type) {
    for (int i = 0; i < type->field_count && search->steps < STEPS_MAX && search->now.count < DEPTH_MAX; i++) {
        const ObjectFieldRow *field = &schema_object_fields(type)[i];
        const char *name = schema_object_text(field->name);
        search->steps++;
        search->now.keys[search->now.count++] = name;
        if (str_is_word(search->key, name)) {
            offer(search);
        } else if (field->form == OBJECT_FIELDS && field->shape != OBJECT_MAP && !is_left_out(name)) {
            search_type(search, &OBJECT_TYPE_ROWS[field->type]);
        }
        search->now.count--;
    }
}

Str object_field_place(Arena *arena, const PlanObject *object, const Value *map, Str key) {
    PlaceSearch *search = arena_new(arena, PlaceSearch);
    *search = (PlaceSearch){ .key = key, .arena = arena };
    if (object->row == NULL || !find_map(search, object->fields, map, 0)) {
        return STR_NONE;
    }
    search_type(search, schema_object_type(object->row));
    StrBuf text = { .arena = arena };
    for (int i = 0; search->is_one && i < search->best.count; i++) {
        strbuf_add_format(&text, "%s%s", i == 0 ? "" : ".", search->best.keys[i]);
    }
    return strbuf_str(&text);
}
