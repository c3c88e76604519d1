// SHA-256 (FIPS 180-4) of a text, as `sha256sum` prints it. Only sha256.c uses nettle.
#pragma once

#include "compiler/base/str.h"

// Lower-case hexadecimal, in the arena.
Str sha256_text(Arena *arena, Str text);

// The same of what an open file holds from where it stands to its end. `*bytes` is how much that was; more than
// `bytes_max` is not read. NULL on success; else a text for people.
const char *sha256_file(Arena *arena, int file, uint64_t bytes_max, Str *sum, uint64_t *bytes);
