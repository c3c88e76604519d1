// Turns requests for memory into slices of large chunks. A chunk is never moved or shrunk, so what was handed out stays
// where it is until the arena goes or is rewound past it. What goes is kept for the next arena beside it, and only what
// was used is zeroed then. Under AddressSanitizer the bytes between two slices are
// poisoned, so that an overrun is seen as it would be with malloc().
#include "compiler/base/arena.h"

#include "compiler/base/die.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define POISON(address, size) __asan_poison_memory_region((address), (size))
#define UNPOISON(address, size) __asan_unpoison_memory_region((address), (size))
enum { RED_ZONE = 16 };
#else
#define POISON(address, size) ((void)0)
#define UNPOISON(address, size) ((void)0)
enum { RED_ZONE = 0 };
#endif

enum {
    CHUNK_SIZE_MIN = 256 * 1024,  // of so many, calloc() takes pages that are zero and cost nothing while they are
    CHUNK_SIZE_MAX = 1024 * 1024, // larger ones only for a single larger request
    ALIGNMENT = _Alignof(max_align_t),
};

typedef struct Chunk {
    struct Chunk *previous;
    size_t size;
    size_t used;
    max_align_t data[];
} Chunk;

struct Arena {
    Chunk *current; // NULL while nothing was asked for
    size_t next_size;
    Arena *owner; // whose spare chunks it takes and gives back; itself where it was not made beside another
    Chunk *spare; // of an owner: nobody's
};

static Arena *create(void) {
    Arena *arena = malloc(sizeof(*arena));
    if (arena == NULL) {
        die("out of memory");
    }
    *arena = (Arena){ .next_size = CHUNK_SIZE_MIN, .owner = arena };
    return arena;
}

Arena *arena_create(void) {
    return create();
}

Arena *arena_create_beside(Arena *other) {
    Arena *arena = create();
    arena->owner = other->owner;
    return arena;
}

// A chunk is zeroed when it is made; what is handed out a second time is zeroed here.
static void clear_from(Chunk *chunk, size_t from) {
    char *first = (char *)chunk->data + from;
    UNPOISON(first, chunk->used - from);
    memset(first, 0, chunk->used - from);
    POISON(first, chunk->used - from);
    chunk->used = from;
}

static void drop_current_chunk(Arena *arena) {
    Chunk *chunk = arena->current;
    arena->current = chunk->previous;
    if (chunk->size > CHUNK_SIZE_MAX) {
        free(chunk);
        return;
    }
    POISON(chunk->data, chunk->used); // it is zeroed when somebody takes it, which the last one never is
    chunk->previous = arena->owner->spare;
    arena->owner->spare = chunk;
}

static void free_chunks(Chunk *chunk) {
    while (chunk != NULL) {
        Chunk *previous = chunk->previous;
        free(chunk);
        chunk = previous;
    }
}

void arena_destroy(Arena *arena) {
    if (arena->owner == arena) {
        free_chunks(arena->current);
        free_chunks(arena->spare);
    } else {
        while (arena->current != NULL) {
            drop_current_chunk(arena);
        }
    }
    free(arena);
}

// NULL where no spare chunk is as large.
static Chunk *take_spare(Arena *owner, size_t at_least) {
    for (Chunk **place = &owner->spare; *place != NULL; place = &(*place)->previous) {
        Chunk *chunk = *place;
        if (chunk->size >= at_least) {
            *place = chunk->previous;
            clear_from(chunk, 0);
            return chunk;
        }
    }
    return NULL;
}

static Chunk *make_chunk(Arena *arena, size_t at_least) {
    size_t size = at_least > arena->next_size ? at_least : arena->next_size;
    if (at_least > CHUNK_SIZE_MAX && at_least < SIZE_MAX / 2 - sizeof(Chunk)) {
        size = 2 * at_least; // room for it to grow in place; what is never touched costs nothing
    }
    if (size > SIZE_MAX - sizeof(Chunk)) {
        die("out of memory: %zu bytes were asked for at once", at_least);
    }
    Chunk *chunk = calloc(1, sizeof(Chunk) + size);
    if (chunk == NULL) {
        die("out of memory: %zu more bytes are needed", size);
    }
    chunk->size = size;
    chunk->used = 0;
    POISON(chunk->data, size);
    if (arena->next_size < CHUNK_SIZE_MAX) {
        arena->next_size *= 2;
    }
    return chunk;
}

static void add_chunk(Arena *arena, size_t at_least) {
    Chunk *chunk = take_spare(arena->owner, at_least);
    if (chunk == NULL) {
        chunk = make_chunk(arena, at_least);
    }
    chunk->previous = arena->current;
    arena->current = chunk;
}

static size_t padded_size(size_t size) {
    return (size + RED_ZONE + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

bool arena_extend(Arena *arena, const void *memory, size_t size, size_t larger) {
    Chunk *chunk = arena->current;
    if (chunk == NULL || memory == NULL || larger > SIZE_MAX - RED_ZONE - ALIGNMENT) {
        return false;
    }
    const size_t before = padded_size(size);
    const size_t after = padded_size(larger);
    const char *end = (char *)chunk->data + chunk->used;
    if (before > chunk->used || end - before != (const char *)memory || after - before > chunk->size - chunk->used) {
        return false;
    }
    chunk->used += after - before;
    UNPOISON((char *)chunk->data + chunk->used - after, larger);
    return true;
}

void arena_trim(Arena *arena, const void *memory, size_t size, size_t smaller) {
    Chunk *chunk = arena->current;
    if (chunk == NULL || memory == NULL) {
        return;
    }
    const size_t before = padded_size(size);
    const size_t after = padded_size(smaller);
    const char *end = (char *)chunk->data + chunk->used;
    if (before <= chunk->used && end - before == (const char *)memory) {
        clear_from(chunk, chunk->used - before + after);
        POISON((char *)chunk->data + chunk->used - after + smaller, after - smaller);
    }
}

void *arena_alloc(Arena *arena, size_t size) {
    if (size > SIZE_MAX - RED_ZONE - ALIGNMENT) {
        die("out of memory: %zu bytes were asked for at once", size);
    }
    const size_t padded = padded_size(size);
    if (arena->current == NULL || arena->current->size - arena->current->used < padded) {
        add_chunk(arena, padded);
    }
    Chunk *chunk = arena->current;
    void *memory = (char *)chunk->data + chunk->used;
    chunk->used += padded;
    UNPOISON(memory, size);
    return memory;
}

void *arena_alloc_array(Arena *arena, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        die("out of memory: %zu items of %zu bytes were asked for at once", count, size);
    }
    return arena_alloc(arena, count * size);
}

size_t arena_bytes(const Arena *arena) {
    size_t bytes = 0;
    for (const Chunk *chunk = arena->current; chunk != NULL; chunk = chunk->previous) {
        bytes += chunk->used;
    }
    return bytes;
}

ArenaMark arena_mark(const Arena *arena) {
    return (ArenaMark){
        .chunk = arena->current,
        .used = arena->current == NULL ? 0 : arena->current->used,
    };
}

void arena_rewind(Arena *arena, ArenaMark mark) {
    while (arena->current != mark.chunk) {
        drop_current_chunk(arena);
    }
    if (arena->current != NULL) {
        clear_from(arena->current, mark.used);
    }
}
