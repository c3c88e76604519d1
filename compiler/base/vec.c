// Growth of every array: doubled, with checked arithmetic, in one place; where it stands, if that can be. Old storage
// stays in the arena, so that a pointer into it goes stale but never wild.
#include "compiler/base/vec.h"

#include "compiler/base/die.h"

// Most lists of large items have one item.
enum { CAPACITY_FIRST = 4, LARGE_ITEM_BYTES = 64, CAPACITY_FIRST_OF_LARGE = 1 };

void *vec_grow(Arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t item_size) {
    if (count < *capacity) {
        return items;
    }
    if (count == UINT32_MAX) {
        die("out of memory: a list has more than %" PRIu32 " items", UINT32_MAX);
    }
    uint32_t larger = item_size < LARGE_ITEM_BYTES ? CAPACITY_FIRST : CAPACITY_FIRST_OF_LARGE;
    if (*capacity > UINT32_MAX / 2) {
        larger = UINT32_MAX;
    } else if (*capacity >= larger) {
        larger = *capacity * 2;
    }
    if (count > 0 && larger <= SIZE_MAX / item_size &&
        arena_extend(arena, items, *capacity * item_size, larger * item_size)) {
        *capacity = larger;
        return items;
    }
    void *moved = arena_alloc_array(arena, larger, item_size);
    if (count > 0) {
        memcpy(moved, items, count * item_size);
    }
    *capacity = larger;
    return moved;
}
