// The one style of dt files: how far lines stand in, the blanks in a line, blank lines, and what stands below what. Line
// ends stay where the author put them, except that a block is either on one line or has a line for each entry.
#pragma once

#include "compiler/base/session.h"

enum {
    STYLE_INDENT = 2,
    STYLE_LINE_COLUMNS_MAX = 140, // a block that needs more is broken: what the longest lines of people have
    STYLE_COMMENT_COLUMN = 44,    // of a comment behind text, where the text is shorter
    STYLE_COMMENT_GAP = 4,        // before it, where the text is longer
};

// A source in the one style. What is wrong in it is reported; the entry around a mistake stays byte for byte as it is.
// Nothing but blanks, line ends and commas at line ends ever differs: where it would, the source comes back unchanged.
Str style_apply(Session *session, uint32_t source);
