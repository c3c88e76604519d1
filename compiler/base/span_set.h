// Places of one sort, such as those of mistakes, of which many others are asked whether they have to do with one. Each
// question takes as long as the search in a sorted list, however many places there are.
#pragma once

#include "compiler/base/arena.h"
#include "compiler/base/source.h"

typedef struct {
    Span *spans;      // sorted by where they begin, outer ones first
    uint32_t *outers; // of each: one more than the number of the next that holds it; 0 where none does
    bool *are_met;    // whether a span that was asked about holds it, or is within it
    uint32_t count;
} SpanSet;

SpanSet span_set(Arena *arena, const Span *spans, uint32_t count);

// Whether one of the set holds the span, or is within it. All that are so are met then. SPAN_NONE meets none.
bool span_set_meets(SpanSet *set, Span span);

bool span_set_is_met(const SpanSet *set); // all of it
