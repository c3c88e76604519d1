// The lines of a script, or of another text, and the here-documents among them.
#pragma once

#include "compiler/base/str.h"

// The line that begins at `at`, without its end; the second without blanks behind it, and without CR.
Str shell_line(Str text, size_t at);
Str shell_trimmed_line(Str text, size_t at);
Str shell_line_around(Str text, size_t at);  // without blanks on either side
size_t shell_next_line(Str text, size_t at); // behind the text where there is none
bool shell_has_line(Str text, Str line);     // blanks behind it do not count

// The word that ends a here-document which begins in a line; empty where none does. `*is_tabbed`: tabs may stand before it.
Str shell_heredoc_word(Str line, bool *is_tabbed);

// The place behind the line that ends it, from the line at `at` on; more than the length of the text where none does.
size_t shell_heredoc_end(Str text, size_t at, Str word, bool is_tabbed);

// The next line of a script that a shell reads as a command: what stands in a here-document is none.
size_t shell_next_command(Str text, size_t at);
