// Reads a file and makes it a source.
#pragma once

#include "compiler/base/session.h"

// Reads a file of at most SOURCE_BYTES_MAX and adds it under its path; returns its number. A file that cannot be read
// or is no UTF-8 text is reported at `from`, and gives 0. `from` is the place that asked for it, or SPAN_NONE for the
// command line. A byte order mark is not part of the text: offset 0 is behind it. What the session's overlay has is
// taken from there.
uint32_t source_load(Session *session, Str path, Span from);

// Says that a file cannot be read. Where a source names it, the help says from where its path is taken.
void report_cannot_read(Session *session, Str path, const char *why, Span from);
