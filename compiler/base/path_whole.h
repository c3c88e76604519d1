// Paths as the command line spells them, and as they are below a folder.
#pragma once

#include "compiler/base/str.h"

// The working directory, with a `/` at its end; empty where it is gone.
Str path_here(Arena *arena);

Str path_with_slash(Arena *arena, Str folder);

// An absolute path without `.`, `..` and doubled signs, and without a `/` at its end. One that is relative begins in
// `here`.
Str path_whole(Arena *arena, Str here, Str path);

// The path as seen from a folder, which is absolute and ends in `/`; empty where it lies outside.
Str path_inside(Arena *arena, Str here, Str folder, Str path);
