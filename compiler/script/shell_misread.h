// What a script says to a shell that reads it otherwise: an unquoted `>` of a release, and words of bash for a shell that is not
// bash.
#pragma once

#include "compiler/base/arena.h"
#include "compiler/base/str.h"

typedef struct {
    Str text;           // a slice of the script; empty: there is nothing
    const char *reason; // "it writes what pip prints into a file"
    const char *help;   // "write it in quotes"
} ShellMisread;

// `pip install torch>=2.1`, of any shell.
ShellMisread shell_misread_release(Arena *arena, Str script);

// What dash does not have. `is_old`: it is a release before 0.5.13, which knows no `pipefail`.
ShellMisread shell_misread_by_dash(Arena *arena, Str script, bool is_old);

// `NAME = VALUE`, which sets nothing, and `$NAME` of a list `NAME=(--a 1 --b)`, which is its first word alone. Of bash.
ShellMisread shell_misread_words(Arena *arena, Str script);
