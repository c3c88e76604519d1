// What a plain scalar of YAML means: a text, a number, a bool or null.
#pragma once

#include "compiler/base/data.h"

// By the core schema of YAML 1.2: null, true and false, integers (also 0x and 0o), reals, else a string. `string` of
// the result is always the text itself; an integer beyond 64 bits is a DATA_REAL.
Data *yaml_scalar(Arena *arena, Str text);
