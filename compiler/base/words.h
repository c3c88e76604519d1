// Words that a table holds in one text, with `|` between: "One|Other".
#pragma once

#include "compiler/base/str.h"

// The word at `*offset`, which starts at 0 and moves behind it; false at the end, and of an empty text.
bool words_next(Str words, size_t *offset, Str *word);

bool words_have(Str words, Str word);
bool words_have_in_any_case(Str words, Str word);

// "`One`, `Other`". Of words that differ in their case alone, it is the first.
Str words_list(Arena *arena, Str words);
