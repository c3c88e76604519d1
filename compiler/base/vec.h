// A growing array of any type, in an arena: `typedef VEC(Token) Tokens;` and vec_push(arena, &tokens, token).
#pragma once

#include "compiler/base/arena.h"

#define VEC(Type)          \
    struct {               \
        Type *items;       \
        uint32_t count;    \
        uint32_t capacity; \
    }

// Room for one more item: returns `items`, moved where it had to grow. Ends the program past UINT32_MAX items.
void *vec_grow(Arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t item_size);

#define vec_push(arena, vec, ...)                                                                                 \
    ((vec)->items = (vec)->count < (vec)->capacity                                                                \
                        ? (vec)->items                                                                            \
                        : vec_grow((arena), (vec)->items, (vec)->count, &(vec)->capacity, sizeof(*(vec)->items)), \
     (vec)->items[(vec)->count++] = (__VA_ARGS__))
