// Variables of the environment that a deployment reads. A command can be pasted as it is, and it says which variable is
// missing: `Odcr="${ODCR:?}"`.
#pragma once

#include "compiler/base/str.h"

// Adds a parameter's name as an environment variable: "BlockId" is "BLOCK_ID". "Path" is "PATH_", because a shell has a
// variable PATH. No other parameter becomes "PATH_".
void variable_add(StrBuf *text, Str parameter);
