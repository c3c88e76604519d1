// What stays the same of a finding where lines move: its code, and the text of its line.
#pragma once

#include "compiler/base/session.h"

// The line of a finding without the blanks around it, or of a very long line the marked part; empty without a place.
Str fingerprint_line(Session *session, const Diag *diag);

// Sixteen hexadecimal digits of a file's name, a code and the text of a line.
Str fingerprint_of(Arena *arena, Str path, const char *code, Str line);
