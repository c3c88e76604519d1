// Lines of a source with marks under them, as a diagnostic for people shows them.
#pragma once

#include "compiler/base/session.h"

typedef enum { STYLE_PLAIN, STYLE_BOLD, STYLE_FRAME, STYLE_ERROR, STYLE_WARNING, STYLE_NOTE } Style;

// The part of a line that may be shown. It is the whole line, or for a very long one the part around a byte. Otherwise
// each mark would count the columns of a megabyte.
typedef struct {
    Str text;
    size_t start; // in the line
    bool is_cut_before;
    bool is_cut_after;
} LinePart;

LinePart text_line_part(Str line, size_t around);

// A marked part of one line.
typedef struct {
    bool is_primary;
    Span span;
    Str text;
    uint32_t line;
    size_t from; // display columns in the part of the line that is shown
    size_t to;   // always above `from`
    LinePart part;
} Mark;

typedef struct {
    Session *session;
    StrBuf out;
    bool color;
    Style primary_style; // of the diagnostic at hand
    size_t gutter;       // digits of its largest line number
} Printer;

// Switches the style; text in a style, made safe, and back to plain. Nothing but the text without colour.
void text_style(Printer *printer, Style wanted);
void text_styled(Printer *printer, Style wanted, Str text);

// `   |` and a line end.
void text_empty_gutter(Printer *printer);

// A line of the source and its marks (at least one; all on that line, in order of `from`), with their labels. The
// marks are moved to where they are shown.
void text_marked_line(Printer *printer, Mark *marks, size_t count);

// What stands between the marked lines `before` and `line`: nothing, the one line between them, or `...`.
void text_gap(Printer *printer, uint32_t source, uint32_t before, uint32_t line);
