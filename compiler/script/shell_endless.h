// Commands that go on until somebody ends them: servers, and loops without an end.
#pragma once

#include "compiler/base/arena.h"
#include "compiler/base/str.h"

// Whether a command goes on, by its words with one blank between. `server & client` ends when the client does.
bool shell_goes_on(Str words);

// Two commands of a script, of which the first never ends, and the second begins something behind it. Both are slices of the
// script; empty: there are none.
typedef struct {
    Str endless;
    Str next;
} ShellEndless;

// Of a script that nobody can read, or that has functions, traps or here-documents, there are none.
ShellEndless shell_endless(Arena *arena, Str script);
