// Merges maps as PyYAML and sigs.k8s.io/yaml do, with which ParallelCluster, kubectl and eksctl read
// (https://yaml.org/type/merge.html, 2026-11). It works on the plain data, before anything else reads it: readers and rules
// about the text of a file look for keys in the same map.
#include "compiler/readers/foreign_merge.h"

#include "compiler/base/str_map.h"
#include "compiler/base/vec.h"

typedef struct {
    Arena *arena;
    StrMap seen; // keys
    VEC(DataEntry) entries;
} Merge;

static void add_entry(Merge *merge, const DataEntry *entry) {
    if (str_map_add(&merge->seen, entry->key, entry) == NULL) {
        vec_push(merge->arena, &merge->entries, *entry);
    }
}

static void add_map(Merge *merge, const Data *map) {
    for (uint32_t i = 0; map->kind == DATA_MAP && i < map->count; i++) {
        add_entry(merge, &map->entries[i]);
    }
}

// Map by map, the first of a list goes before the others.
static void add_merged(Merge *merge, const Data *data) {
    add_map(merge, data);
    for (uint32_t i = 0; data->kind == DATA_LIST && i < data->count; i++) {
        add_map(merge, data->items[i]);
    }
}

// The entries of the map itself go before those that it takes over, and of several `<<` the last goes before the others.
static void merge_entries(Arena *arena, Data *map) {
    Merge merge = { .arena = arena, .seen = { .arena = arena } };
    for (uint32_t i = 0; i < map->count; i++) {
        if (!data_is_merge(&map->entries[i])) {
            add_entry(&merge, &map->entries[i]);
        }
    }
    for (uint32_t i = map->count; i > 0; i--) {
        if (data_is_merge(&map->entries[i - 1])) {
            add_merged(&merge, map->entries[i - 1].value);
        }
    }
    map->entries = merge.entries.items;
    map->count = merge.entries.count;
    map->capacity = merge.entries.capacity;
}

// The reader bounds how deep a document is, and how much its aliases expand to.
void foreign_merge(Arena *arena, Data *document) {
    bool has_merge = false;
    for (uint32_t i = 0; document->kind == DATA_LIST && i < document->count; i++) {
        foreign_merge(arena, document->items[i]);
    }
    for (uint32_t i = 0; document->kind == DATA_MAP && i < document->count; i++) {
        foreign_merge(arena, document->entries[i].value);
        has_merge = has_merge || data_is_merge(&document->entries[i]);
    }
    if (has_merge) {
        merge_entries(arena, document);
    }
}
