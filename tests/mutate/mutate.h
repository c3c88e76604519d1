// Changes a source by its values: one is replaced by null, by nothing, by one of another type, by what another fixture
// has; a line goes, comes twice, moves to another block; a cluster gets another target. What comes out is nearly right,
// so that it gets past the parser and, often, past the checks of types.
#pragma once

#include "tests/mutate/values.h"

// A few changes at random. The result lives in the arena.
Str mutate_program(Arena *arena, Random *random, const Harvest *harvest, Str text);
Str mutate_data(Arena *arena, Random *random, Str text);

// The changes that are tried one by one, at each place: each odd value, the line left out and twice; and of null, the
// empty values and the line left out, on each target. `number` counts from 0; false where there is no such change.
bool mutate_each(Arena *arena, const Sketch *sketch, uint32_t number, Str *result);
