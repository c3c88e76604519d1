// The difference of two texts, for people and for patch(1).
#pragma once

#include "compiler/base/str.h"

enum {
    DIFF_CONTEXT = 3,       // lines around a change, as everybody prints them
    DIFF_CHANGES_MAX = 500, // lines taken away or added; beyond that, all between the first and the last is one change
};

// A unified diff of two versions of the file at a path, for patch -p0 and git apply -p0. It is empty if they are equal.
// Lines are compared as bytes, so that another line end is another line.
Str diff_unified(Arena *arena, Str path, Str before, Str after);
