// Values to put in the place of others: the edges of every type, the values that the schema promises of an attribute,
// and those that the fixtures give it.
#pragma once

#include "compiler/base/str_map.h"
#include "tests/mutate/random.h"
#include "tests/mutate/slots.h"

// What stands in the fixtures, by name: values of attributes, whole blocks by their kind.
typedef struct {
    Arena *arena;
    StrMap values;
    StrMap blocks;
} Harvest;

void harvest_add(Harvest *harvest, const Sketch *sketch);

// A random value, or a random block of a kind; empty where the fixtures have none.
Str harvest_value(const Harvest *harvest, Random *random, Str attribute);
Str harvest_block(const Harvest *harvest, Random *random, Str kind);

// Values that have nothing to do with any type: null, [], 0 and their like.
extern const char *const ODD_VALUES[];
extern const uint32_t ODD_VALUE_COUNT;
extern const uint32_t EMPTY_VALUE_COUNT; // the first of them: null and what is empty

// The name of a block, alone or behind a kind.
void add_block_name(StrBuf *out, Random *random, Str kind, Str name);

// A value of a type, as the language writes it, mostly a right one.
Str value_of_type(Arena *arena, Random *random, const Sketch *sketch, const Type *type);
