// What of a script a shell runs. A rule that looks for a word looks here, so that a comment, a message or a file that is
// written counts for nobody's command.
#pragma once

#include "compiler/base/str.h"

typedef enum {
    SHELL_READ, // all but comments
    SHELL_KEPT, // that is run, or that a file holds later: no message, and nothing that is never reached
    SHELL_RUN,  // that may be run: no text in quotes that goes to no shell, no file that nothing starts
    SHELL_SURE, // that is run whatever is asked before: nothing behind a condition
    SHELL_NEED, // likewise, and files that a command changes, which have to be there: `sed -i`, `chmod`
} ShellPart;

// The script with blanks in place of all else, so that places stay the same. What the scanner does not understand stays as it
// is, but for lines that are a comment.
Str shell_text(Arena *arena, Str script, ShellPart part);
