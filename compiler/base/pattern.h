// Regular expressions. Only pattern.c uses PCRE2.
#pragma once

#include "compiler/base/source.h"

typedef enum { PATTERN_NO, PATTERN_YES, PATTERN_BAD, PATTERN_LIMIT } PatternResult;

// Whether the whole of `text` matches. A pattern is compiled when first used and kept for the session. PATTERN_BAD:
// not a regular expression, and `*fault` (may be NULL) says why; PATTERN_LIMIT: the match limit was reached.
PatternResult pattern_match(Session *session, Str pattern, Str text, Str *fault);

// Like pattern_match(), for a pattern from outside. Adds to `*steps` how many steps the match took, by the order of
// magnitude.
PatternResult pattern_match_counted(Session *session, Str pattern, Str text, Str *fault, uint64_t *steps);

// The text that `words` make of one that matches as a whole, where `$1` is what the first parentheses take; empty where it
// does not match. For patterns of dtc alone.
Str pattern_replace(Session *session, Str pattern, Str text, Str words);
