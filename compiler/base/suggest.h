// "did you mean": the nearest of some names.
#pragma once

#include "compiler/base/str.h"

// Feed each candidate to suggest_offer(); `best` is empty while none is near enough (an edit distance below 3, and
// below half of the name's length, rounded up); a name that differs in case alone is nearer than any other, and of
// equals the first offered stays. Start from `(Suggestion){ .name = name }`.
typedef struct {
    Str name;
    Str best;
    size_t distance; // of `best`, doubled
} Suggestion;

void suggest_offer(Suggestion *suggestion, Str candidate);
