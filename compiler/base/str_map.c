// Text to pointer by open addressing: a table at most half full, linear probing, keys never removed.
#include "compiler/base/str_map.h"

enum { CAPACITY_FIRST = 8 };

// FNV-1a: short keys, no adversary that gains more than a slow build of his own file.
static size_t hash(Str key) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < key.len; i++) {
        h ^= (unsigned char)key.data[i];
        h *= 1099511628211u;
    }
    return (size_t)(h ^ (h >> 32));
}

static StrMapSlot *find(const StrMap *map, Str key) {
    size_t i = hash(key) & (map->capacity - 1);
    while (map->slots[i].value != NULL && !str_equal(map->slots[i].key, key)) {
        i = (i + 1) & (map->capacity - 1);
    }
    return &map->slots[i];
}

const void *str_map_get(const StrMap *map, Str key) {
    return map->capacity == 0 ? NULL : find(map, key)->value;
}

void *str_map_get_mutable(const StrMap *map, Str key) {
    return (void *)str_map_get(map, key);
}

static void grow(StrMap *map) {
    StrMap larger = { .arena = map->arena, .capacity = map->capacity == 0 ? CAPACITY_FIRST : map->capacity * 2 };
    larger.slots = arena_new_array(map->arena, StrMapSlot, larger.capacity);
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->slots[i].value != NULL) {
            *find(&larger, map->slots[i].key) = map->slots[i];
        }
    }
    map->slots = larger.slots;
    map->capacity = larger.capacity;
}

const void *str_map_add(StrMap *map, Str key, const void *value) {
    assert(value != NULL);
    if (map->count * 2 >= map->capacity) {
        grow(map);
    }
    StrMapSlot *slot = find(map, key);
    if (slot->value != NULL) {
        return slot->value;
    }
    *slot = (StrMapSlot){ .key = key, .value = value };
    map->count++;
    return NULL;
}
