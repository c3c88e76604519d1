// The first release of a tool that knows what a file says. An older release stops at an unknown field, or gives it
// another meaning.
#pragma once

#include "emitters/doc/doc.h"

typedef VEC(Str) ReleaseTypes;

// "For eksctl 0.205.0 or newer, because of `instanceMarketOptions`.", for the finished document of the file with that
// suffix. `types`: instance types that it holds without naming them. Empty for a suffix whose readers have no releases of
// their own.
Str releases_line(Arena *arena, const Doc *doc, const char *suffix, const ReleaseTypes *types);
