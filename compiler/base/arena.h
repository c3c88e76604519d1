// An arena: memory that is given back as a whole, or back to a mark, and never piece by piece.
#pragma once

#include "compiler/base/base.h"

typedef struct Arena Arena;

// A position in an arena, to which arena_rewind() returns.
typedef struct {
    void *chunk;
    size_t used;
} ArenaMark;

// Never returns NULL: a machine without memory ends the program (exit status 3).
Arena *arena_create(void);
void arena_destroy(Arena *arena);

// One that goes before `other`, and whose memory then serves the next one beside it.
Arena *arena_create_beside(Arena *other);

// Zeroed memory, aligned for any type, valid until arena_destroy() or a rewind past it. `size` may be 0.
void *arena_alloc(Arena *arena, size_t size);

// `count * size` bytes; a product that overflows ends the program.
void *arena_alloc_array(Arena *arena, size_t count, size_t size);

// Makes what was allocated last larger where it is. False where something was allocated behind it or no room is left;
// then nothing has changed.
bool arena_extend(Arena *arena, const void *memory, size_t size, size_t larger);

// Gives back the end of what was allocated last; nothing where something was allocated behind it.
void arena_trim(Arena *arena, const void *memory, size_t size, size_t smaller);

size_t arena_bytes(const Arena *arena); // that were asked for

// Everything allocated after the mark was taken is given back.
ArenaMark arena_mark(const Arena *arena);
void arena_rewind(Arena *arena, ArenaMark mark);

#define arena_new(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))
#define arena_new_array(arena, Type, count) ((Type *)arena_alloc_array((arena), (count), sizeof(Type)))
