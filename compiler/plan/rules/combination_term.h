// A term of a row of schema/combinations.def, whose head says how they are written.
#pragma once

#include "compiler/base/str.h"

typedef struct {
    Str key;
    Str words; // between `|`; empty: any
    bool is_absent;
    bool is_other; // none of the words
    bool is_list;  // of managed policies of AWS, without the word
} CombinationTerm;

// The term at `*offset` of a row, which starts at 0 and moves behind it; false at the end.
bool combination_next_term(Str all, size_t *offset, CombinationTerm *term);
