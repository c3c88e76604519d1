// The lines of a script, or of another text.
#pragma once

#include "compiler/base/str.h"

// The line that begins at `at`, without its end; the second without blanks behind it, and without CR.
Str shell_line(Str text, size_t at);
Str shell_trimmed_line(Str text, size_t at);
Str shell_line_around(Str text, size_t at);  // without blanks on either side
size_t shell_next_line(Str text, size_t at); // behind the text where there is none
bool shell_has_line(Str text, Str line);     // blanks behind it do not count

// The end of the line that a place is on, or of the last one that goes on behind `\`.
size_t shell_end_of_command(Str text, size_t at);

// The simple command around a place, up to it. It begins behind `;`, `&`, `|`, or the end of a line that has no `\` there.
Str shell_command_before(Str text, size_t at);
