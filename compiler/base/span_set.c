// Spans of syntax lie within each other or apart. So those that hold a place are the nearest one that begins before it,
// and those around that one.
#include "compiler/base/span_set.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int compare(const void *a, const void *b) {
    const Span *first = a;
    const Span *second = b;
    const int source = compare_numbers(first->source, second->source);
    const int start = compare_numbers(first->start, second->start);
    return source != 0 ? source : start != 0 ? start : compare_numbers(second->end, first->end);
}

SpanSet span_set(Arena *arena, const Span *spans, uint32_t count) {
    SpanSet set = { .spans = arena_new_array(arena, Span, count),
                    .outers = arena_new_array(arena, uint32_t, count),
                    .are_met = arena_new_array(arena, bool, count),
                    .count = count };
    if (count == 0) {
        return set;
    }
    memcpy(set.spans, spans, count * sizeof(spans[0]));
    qsort(set.spans, count, sizeof(set.spans[0]), compare);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t outer = i;
        while (outer > 0 && !span_holds(set.spans[outer - 1], set.spans[i])) {
            outer = set.outers[outer - 1];
        }
        set.outers[i] = outer;
    }
    return set;
}

// The first that begins at the place or behind it.
static uint32_t first_from(const SpanSet *set, uint32_t source, uint32_t start) {
    uint32_t low = 0;
    uint32_t high = set->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const Span span = set->spans[middle];
        if (span.source < source || (span.source == source && span.start < start)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool span_set_meets(SpanSet *set, Span span) {
    if (span_is_none(span)) {
        return false;
    }
    bool is_met = false;
    const uint32_t first = first_from(set, span.source, span.start);
    uint32_t i = first;
    for (; i < set->count && set->spans[i].source == span.source && set->spans[i].start <= span.end; i++) {
        if (span_holds(span, set->spans[i]) || span_holds(set->spans[i], span)) {
            set->are_met[i] = true;
            is_met = true;
        }
    }
    for (i = first; i > 0; i = set->outers[i - 1]) {
        if (span_holds(set->spans[i - 1], span)) {
            set->are_met[i - 1] = true;
            is_met = true;
        }
    }
    return is_met;
}

bool span_set_is_met(const SpanSet *set) {
    bool are_met = true;
    for (uint32_t i = 0; i < set->count && are_met; i++) {
        are_met = set->are_met[i];
    }
    return are_met;
}
