// Changes a source by its values. A value becomes null, or nothing, or one of another type, or the one that another
// fixture has; a line is removed, doubled or moved to another block; a cluster gets another target. The result is
// nearly right: it gets past the parser and, often, past the checks of types.
#pragma once

#include "tests/mutate/values.h"

// A few changes at random. The result lives in the arena.
Str mutate_program(Arena *arena, Random *random, const Harvest *harvest, Str text);
Str mutate_data(Arena *arena, Random *random, Str text);

// The changes that are tried one by one, at each place: each odd value, the line left out and twice; and of null, the
// empty values and the line left out, on each target. `number` counts from 0; false where there is no such change.
bool mutate_each(Arena *arena, const Sketch *sketch, uint32_t number, Str *result);
