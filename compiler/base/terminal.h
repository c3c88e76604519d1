// Which characters a terminal acts upon, or shows as nothing.
#pragma once

#include "compiler/base/str.h"

// True of C0 and C1 controls, of what turns the direction of writing (a text could look like another one), of line
// separators, and of characters without a width that are no marks over others. Such a character is never shown as it
// is, and where a text must not change it is written as an escape.
bool terminal_is_unsafe(uint32_t code_point);

// Whether a text may be shown as it is: UTF-8, on one line, with none of those.
bool terminal_is_safe(Str text);

// Adds a text for a comment or a line of its own: U+FFFD stands for what is not safe, line ends among it.
void terminal_add(StrBuf *out, Str text);
