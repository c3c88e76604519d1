// "did you mean": finds the nearest of some names.
#pragma once

#include "compiler/base/diag/diag.h"

// Start from suggest_for(), or, where there is no session, from `(Suggestion){ .name = name }`. Then give each
// candidate to suggest_offer(). `best` is the nearest one so far; of equals, the first. It is empty while none is near
// enough: the edit distance must be below 3 and below half of the name's length, rounded up. A candidate that differs
// in case or by `-` for `_` alone, or as `no_schedule` does from `NoSchedule`, is nearer than any other.
typedef struct {
    Str name; // empty: nothing is looked for
    Session *session;
    uint64_t letters; // of `name`, one bit for each; 0: not worked out yet
    Str best;
    size_t distance; // of `best`, doubled
    size_t rival;    // the least distance of another candidate that is near enough, doubled; 0 without one
} Suggestion;

enum { SUGGESTIONS_MAX = 1000000 }; // candidates of one run: then the last mistakes get no suggestion

// For a mistake that is about to be reported. Nothing is looked for where it would not be shown.
Suggestion suggest_for(Session *session, Str name);

void suggest_offer(Suggestion *suggestion, Str candidate);
bool suggest_is_idle(const Suggestion *suggestion); // no candidate makes a difference any more

// Whether a fix may put `best` in place of the name. It differs in case alone, as `NoSchedule` from `no_schedule`, by `-`
// for `_`, by one edit of letters within a word of four letters or more, or by a `-` or `_` between two words. No other
// candidate is near. Names such as gpu-a and gpu-b, p5 and p6 differ by what their authors mean.
bool suggest_is_sure(const Suggestion *suggestion);

// Whether two names are one but for how they end: `fsx` and `fsx-data`, `corpora` and `corpus`, but not `data-in` and
// `data-out`, nor `gpu1` and `gpu2`. That is sure only where nothing else is left for either of them.
bool suggest_ends_alone_differ(Str a, Str b);

// Whether two names have the same digits in the same order: m7i.12xlarge is no rival of m7i.2xlarge.
bool suggest_is_of_digits(Str name, Str candidate);

// Whether all of what stands at a place is the name, perhaps in quotes: not a call or a name that stands for it.
bool suggest_is_written(Session *session, const Suggestion *suggestion, Span span);

// Says on a diagnostic "did you mean `best`?", with a fix for `span` where that is sure and the name is written there;
// false where nothing is near.
bool suggest_say(Session *session, Diag *diag, const Suggestion *suggestion, Span span);
