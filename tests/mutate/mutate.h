// Changes a source by its values. A value becomes null, or nothing, or a value of another type or of another fixture. A
// line is removed, doubled or moved to another block. A cluster gets another target. The result is nearly right: it
// gets past the parser and, often, past the checks of types.
#pragma once

#include "tests/mutate/values.h"

// A few changes at random. The result lives in the arena.
Str mutate_program(Arena *arena, Random *random, const Harvest *harvest, Str text);
Str mutate_data(Arena *arena, Random *random, Str text);

// The changes that are tried one by one, at each place: each odd value, and the line left out and twice. Null, the
// empty values and the line left out are tried on each target. `number` counts from 0; false where there is no such
// change.
bool mutate_each(Arena *arena, const Sketch *sketch, uint32_t number, Str *result);
