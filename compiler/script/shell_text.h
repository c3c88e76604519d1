// What of a script a shell runs. A rule that looks for a word looks here, so that a comment, a message or a file that is
// written counts for nobody's command.
#pragma once

#include "compiler/base/str.h"

typedef enum {
    SHELL_READ, // all but comments
    SHELL_KEPT, // that is run, or that a file holds later: no message, and nothing that is never reached
    SHELL_HELD, // that is run, or that a file holds which something starts
    SHELL_RUN,  // that may be run: no text in quotes that goes to no shell
    SHELL_SURE, // that is run whatever is asked before: nothing behind a condition
} ShellPart;

// The script with blanks in place of all else, so that places stay the same. What the scanner does not understand stays as it
// is, but for lines that are a comment.
Str shell_text(Arena *arena, Str script, ShellPart part);

// Where a script runs a program whatever it asked before: of `/a/b.sh` this file, of `b` the program of that name in any
// folder. Only what asks for the program, for the system or for nodeadm is a condition: `test -f /tmp/x && …` is none. A path
// among the words of another program is not run, and a file that the script makes itself is there. The length of the script
// where it does not.
size_t shell_runs(Arena *arena, Str script, Str program);

// The same of a text that is no script of a shell, or that is not understood: a line, or an item of a list, begins with it.
size_t shell_line_runs(Str text, Str program);
