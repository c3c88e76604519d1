// Whether a script reads another one that may set its variables.
#pragma once

#include "compiler/base/str.h"

// `source env.sh`, `. env.sh` and `eval`. What makes an environment of Python ready, and what each shell reads at its start, sets
// nothing that launchers read.
bool shell_reads_others(Str script);
