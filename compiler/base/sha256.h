// SHA-256 (FIPS 180-4) of a text, as `sha256sum` prints it. Only sha256.c uses nettle.
#pragma once

#include "compiler/base/str.h"

// Lower-case hexadecimal, in the arena.
Str sha256_text(Arena *arena, Str text);
