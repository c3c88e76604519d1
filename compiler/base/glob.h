// Globs over paths, as `.dtc.yaml` has them.
#pragma once

#include "compiler/base/str.h"

// Whether a path matches: `*` is anything within a name, `?` a character of it, `**` anything with folders. A glob
// without a `/` is about the last name alone, and one that ends in `/` about all that is below.
bool glob_matches(Arena *arena, Str glob, Str path);
