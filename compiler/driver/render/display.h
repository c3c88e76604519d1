// Text for a terminal. Counts the columns that it takes, and replaces the characters that would make the terminal do
// something. The result does not depend on the locale.
#pragma once

#include "compiler/base/str.h"

// What is shown of a quoted text: in a message, and in a help, which holds commands and lines to be copied.
enum { DISPLAY_WORD_COLUMNS = 120, DISPLAY_HELP_COLUMNS = 400 };

// Columns of a text without line ends. A tab counts as one.
size_t display_columns(Str text);

// Adds what stands in the columns from `from` up to, not including, `to`. Tabs become blanks. Control characters, bytes
// that are not UTF-8 and characters that turn the writing direction become U+FFFD. Half of a wide character becomes a
// blank.
void display_add(StrBuf *buffer, Str text, size_t from, size_t to);

// The whole text, likewise.
void display_add_all(StrBuf *buffer, Str text);

// The whole text, likewise, but that line ends stay.
void display_add_lines(StrBuf *buffer, Str text);

// A path or a word of the command line for a line of its own: one that is very long is cut in the middle.
Str display_short(Arena *arena, Str text);

// A message whose quoted texts, `…` or "…", are cut in the middle where they take more than so many columns. So is a
// line of more than 1,000.
Str display_message(Arena *arena, Str text, size_t quoted_columns);
