// SHA-256 (FIPS 180-4) of a text, as `sha256sum` prints it. The only user of nettle.
#pragma once

#include "compiler/base/str.h"

// Lower-case hexadecimal, in the arena.
Str sha256_text(Arena *arena, Str text);

// Of texts that begin alike: what they share is summed once. The start can be used any number of times.
typedef struct Sha256Start Sha256Start;
Sha256Start *sha256_start(Arena *arena, Str text);
Str sha256_finish(Arena *arena, const Sha256Start *start, Str rest); // of the start's text and `rest`, laid end to end
