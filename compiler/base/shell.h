// Texts that go to a shell.
#pragma once

#include "compiler/base/str.h"

// Adds a text as one word that no shell splits, expands or runs: as it is where that is safe, else in single quotes. The
// only way in which a text from outside gets into a command.
void shell_add_word(StrBuf *out, Str text);
