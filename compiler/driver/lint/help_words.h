// Ways out of files of YAML in the words of infra.dt, for what is found in a finished file.
#pragma once

#include "compiler/base/arena.h"
#include "compiler/base/str.h"

// "write `claims: [{name: channel}]`" is "write `claims = [{ name = \"channel\" }]`", and "`# dtc-allow: DT0305 …`" is
// "`allow DT0305, \"…\"`". A text in quotes that is neither stays.
Str help_in_source_words(Arena *arena, Str help);
