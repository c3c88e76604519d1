// A filter of `dtc instances`: one word, which asks one thing of an instance type.
#pragma once

#include "schema/instances.h"
#include "schema/schema.h"

typedef enum {
    FILTER_TEXT, // a part of the name, a glob over it, or a word of what the accelerator is called
    FILTER_EFA,  // so many EFA interfaces
    FILTER_NEURON,
    FILTER_ARCHITECTURE,
    FILTER_REGION, // that is known to offer it
} FilterKind;

typedef struct {
    FilterKind kind;
    Str text;         // as it was written
    const char *glob; // FILTER_TEXT: the same
    int efa_low;      // FILTER_EFA, both ends included
    int efa_high;
    Architecture architecture;
    const RegionRow *region; // FILTER_REGION; else NULL
} InstanceFilter;

// False where a number of EFA interfaces cannot be read; `*hint` is then the way out.
bool filter_read(Arena *arena, Str text, InstanceFilter *filter, Str *hint);

// Whether a type is what the filter asks for: 1, 0, or UNKNOWN where no source says whether the region offers it.
int filter_match(const InstanceFilter *filter, const InstanceRow *row);

// The word nearest to a text, among all words that a filter may be. Empty if no word is near.
Str filter_nearest(Session *session, Str text);
