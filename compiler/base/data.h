// Plain data, as JSON and YAML have it. Files of params, files of facts and rows of the schema are read into it.
// plan.json, source maps and JSON templates are written from it.
#pragma once

#include "compiler/base/source.h"

typedef enum { DATA_NULL, DATA_BOOL, DATA_INT, DATA_REAL, DATA_STRING, DATA_LIST, DATA_MAP } DataKind;

typedef struct Data Data;
typedef struct DataEntry DataEntry;

struct Data {
    DataKind kind;
    Span span; // where it was read; SPAN_NONE for what is to be written
    bool boolean;
    int64_t integer;
    Str string;         // DATA_STRING; of any other scalar that was read, its text as it was written ("012")
    Str tag;            // of a foreign file's value: "!Sub"; empty: none
    Data **items;       // DATA_LIST
    DataEntry *entries; // DATA_MAP, in order
    uint32_t count;
    uint32_t capacity;
};

struct DataEntry {
    Str key;
    Span key_span;
    Data *value;
};

Data *data_null(Arena *arena);
Data *data_bool(Arena *arena, bool value);
Data *data_int(Arena *arena, int64_t value);
Data *data_real(Arena *arena, Str digits);
Data *data_string(Arena *arena, Str value);
Data *data_list(Arena *arena);
Data *data_map(Arena *arena);
void data_add(Arena *arena, Data *list, Data *value);
void data_put(Arena *arena, Data *map, Str key, Data *value);  // keeps order; the key must be new
const Data *data_get(const Data *map, const char *key);        // NULL where absent or `map` is no map
const DataEntry *data_entry(const Data *map, const char *key); // the same with its key
Str data_text(const Data *map, const char *key);               // empty where there is no such string

// Whether a text in it, at whatever depth, has the part. Keys do not count.
bool data_has_text(const Data *data, const char *part);

// Whether the entry is YAML's `<<` without quotes, before what a reader that merges takes into the map.
bool data_is_merge(const DataEntry *entry);

// The items of what may be one value or a list of such, one after the other: NULL behind the last, and of NULL. With a tag
// a list is one value.
const Data *data_item(const Data *data, uint32_t index);
