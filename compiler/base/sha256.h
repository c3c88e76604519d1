// SHA-256 (FIPS 180-4) of many texts at once. A build lists the sum of each file that it writes, and there may be ten
// thousand of them.
#pragma once

#include "compiler/base/str.h"

// The sums of `count` texts, each as lower-case hexadecimal in the arena.
void sha256_texts(Arena *arena, const Str *texts, uint32_t count, Str *sums);

// The sum of one.
Str sha256_text(Arena *arena, Str text);
