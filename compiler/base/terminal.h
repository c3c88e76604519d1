// Knows which characters a terminal obeys, and which it does not show.
#pragma once

#include "compiler/base/str.h"

// True for C0 and C1 controls, line separators, and characters that change the direction of writing, with which a text
// looks like another one. It is also true for characters without a width, except marks that stand over others. Such a
// character is never printed. Where the text must not change, an escape stands for it.
bool terminal_is_unsafe(uint32_t code_point);

// Whether a text may be shown as it is: UTF-8, on one line, with none of those.
bool terminal_is_safe(Str text);

// Adds a text to a line of output or to a comment. U+FFFD replaces each unsafe character, line ends too.
void terminal_add(StrBuf *out, Str text);
