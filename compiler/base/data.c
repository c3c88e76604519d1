// Makes values of plain data. Lists and maps grow as vec.h does. A search in a map starts at its front, because maps
// that people write are small.
#include "compiler/base/data.h"

#include "compiler/base/vec.h"

static Data *data_new(Arena *arena, Data value) {
    Data *data = arena_new(arena, Data);
    *data = value;
    return data;
}

Data *data_null(Arena *arena) {
    return data_new(arena, (Data){ .kind = DATA_NULL });
}

Data *data_bool(Arena *arena, bool value) {
    return data_new(arena, (Data){ .kind = DATA_BOOL, .boolean = value });
}

Data *data_int(Arena *arena, int64_t value) {
    return data_new(arena, (Data){ .kind = DATA_INT, .integer = value });
}

Data *data_real(Arena *arena, Str digits) {
    return data_new(arena, (Data){ .kind = DATA_REAL, .string = digits });
}

Data *data_string(Arena *arena, Str value) {
    return data_new(arena, (Data){ .kind = DATA_STRING, .string = value });
}

Data *data_list(Arena *arena) {
    return data_new(arena, (Data){ .kind = DATA_LIST });
}

Data *data_map(Arena *arena) {
    return data_new(arena, (Data){ .kind = DATA_MAP });
}

void data_add(Arena *arena, Data *list, Data *value) {
    assert(list->kind == DATA_LIST);
    list->items = vec_grow(arena, list->items, list->count, &list->capacity, sizeof(list->items[0]));
    list->items[list->count++] = value;
}

void data_put(Arena *arena, Data *map, Str key, Data *value) {
    assert(map->kind == DATA_MAP);
    map->entries = vec_grow(arena, map->entries, map->count, &map->capacity, sizeof(map->entries[0]));
    map->entries[map->count++] = (DataEntry){ .key = key, .value = value };
}

const DataEntry *data_entry(const Data *map, const char *key) {
    if (map == NULL || map->kind != DATA_MAP) {
        return NULL;
    }
    const Str name = str_of(key);
    for (uint32_t i = 0; i < map->count; i++) {
        if (str_equal(map->entries[i].key, name)) {
            return &map->entries[i];
        }
    }
    return NULL;
}

const Data *data_get(const Data *map, const char *key) {
    const DataEntry *entry = data_entry(map, key);
    return entry == NULL ? NULL : entry->value;
}

const Data *data_item(const Data *data, uint32_t index) {
    if (data == NULL || data->kind != DATA_LIST || data->tag.len > 0) {
        return index == 0 ? data : NULL;
    }
    return index < data->count ? data->items[index] : NULL;
}

Str data_text(const Data *map, const char *key) {
    const Data *value = data_get(map, key);
    return value != NULL && value->kind == DATA_STRING ? value->string : STR_NONE;
}

bool data_has_text(const Data *data, const char *part) {
    bool has = data->kind == DATA_STRING && str_has(data->string, part);
    for (uint32_t i = 0; !has && i < data->count; i++) {
        has = data_has_text(data->kind == DATA_MAP ? data->entries[i].value : data->items[i], part);
    }
    return has;
}

bool data_is_merge(const DataEntry *entry) {
    const bool is_plain = entry->key_span.end - entry->key_span.start == strlen("<<");
    return str_is(entry->key, "<<") && is_plain && (entry->value->kind == DATA_MAP || entry->value->kind == DATA_LIST);
}
