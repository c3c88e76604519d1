// Looks through a script of sh or bash for what is opened and never closed. It tells what is certain, and nothing else.
#pragma once

#include "compiler/base/str.h"

typedef enum {
    SHELL_CLOSED,  // or nobody knows
    SHELL_QUOTE,   // a quote that is never closed
    SHELL_IF,      // without `fi`
    SHELL_LOOP,    // `do` without `done`
    SHELL_CASE,    // without `esac`
    SHELL_BRACE,   // `{` without `}`
    SHELL_BRACKET, // `(` or `$(` without `)`
    SHELL_VALUE,   // `${` without `}`
    SHELL_BACKTICK,
    SHELL_HEREDOC, // a here-document without the line that ends it
} ShellOpen;

// What is still open at the end of the script, or where a word closes another thing: the innermost one. `*where` is a slice
// of the script: where it began, and of a here-document its word.
ShellOpen shell_scan(Arena *arena, Str script, Str *where);
