// A hash map from text to a pointer, for tables that an author can make long.
#pragma once

#include "compiler/base/str.h"

typedef struct {
    Str key;
    const void *value;
} StrMapSlot;

// Start from `(StrMap){ .arena = arena }`. Keys are borrowed.
typedef struct {
    Arena *arena;
    StrMapSlot *slots;
    size_t capacity; // a power of two, or 0
    size_t count;
} StrMap;

const void *str_map_get(const StrMap *map, Str key);   // NULL where absent
void *str_map_get_mutable(const StrMap *map, Str key); // for maps to what the caller itself made and still changes

// Adds a key with a value that is not NULL; where the key is there already its value stays and is returned, else NULL.
const void *str_map_add(StrMap *map, Str key, const void *value);
