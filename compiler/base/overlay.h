// Texts that take the place of files, so that dtc can check a change before it is saved.
#pragma once

#include "compiler/base/str.h"
#include "compiler/base/vec.h"

typedef struct {
    Str path; // as messages show it
    Str text; // without a byte order mark; UTF-8, as a source is
} StandIn;

typedef VEC(StandIn) Overlay;

// The text that stands in for the file at a path: under that very path, or under another one that leads to the same
// file. NULL where the file is to be read, and where `overlay` is NULL.
const Str *overlay_find(Arena *arena, const Overlay *overlay, Str path);
