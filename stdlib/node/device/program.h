// A program of a vendor's, run for what it says and for a bounded time: one that talks to a broken driver may hang.
#pragma once

#include <stddef.h>

enum { PROGRAM_LATE = 124, PROGRAM_ABSENT = 127, PROGRAM_SIGNAL = 128, PROGRAM_OUTPUT_BYTES = 16384 };

// Runs a program with two arguments, or one where `second` is NULL, for at most NODE_PROGRAM_MS. What it began of what
// it prints is in `output`, with a NUL behind it. The status that a shell would give: PROGRAM_LATE where it was ended,
// with what it started.
int program_run(const char *path, const char *first, const char *second, char output[PROGRAM_OUTPUT_BYTES]);
