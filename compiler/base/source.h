// Sources: texts from outside, and places in them.
#pragma once

#include "compiler/base/str.h"

typedef struct Session Session;

// Bytes `start` up to, not including, `end` of source number `source`. Number 0 is no source at all (SPAN_NONE):
// the command line, or a fact that stands in no file.
typedef struct {
    uint32_t source;
    uint32_t start;
    uint32_t end;
} Span;

#define SPAN_NONE ((Span){ 0 })

typedef struct {
    Str path;              // as it is shown in messages: relative to the working directory where it can be
    Str text;              // whole content
    uint32_t *line_starts; // made when first asked for
    uint32_t line_count;
    uint32_t *characters;     // before each SOURCE_STEP bytes of the text; made with the lines
    bool is_program;          // a file of the author that is checked: the only ones that a fix may be applied to
    bool is_checked;          // of another language, and rules were asked of it: reports of tests list it
    bool has_mark;            // a byte order mark stands before `text` in the file
    uint32_t errors_left_out; // diagnostics of it that were too many to be kept
    uint32_t warnings_left_out;
} Source;

// A place for people: lines and columns count from 1, columns count Unicode code points.
typedef struct {
    uint32_t line;
    uint32_t column;
} Place;

enum { SOURCE_STEP = 1024 };

enum { SOURCE_BYTES_MAX = 16 * 1024 * 1024 }; // a larger file is refused: nobody writes one by hand

// Adds a text under a path and returns its number (1 and up). Copies neither.
uint32_t source_add(Session *session, Str path, Str text);
void source_mark_program(Session *session, uint32_t number); // see `is_program`
void source_mark_checked(Session *session, uint32_t number); // see `is_checked`
const Source *source_get(const Session *session, uint32_t number);
Place source_place(Session *session, uint32_t number, uint32_t offset);
uint32_t source_line_number(Session *session, uint32_t number, uint32_t offset); // that of source_place()
Str source_line(Session *session, uint32_t number, uint32_t line);               // without its line end
Str source_text(const Session *session, Span span);
Span span_join(Span first, Span last); // from the start of one to the end of the other
bool span_is_none(Span span);
bool span_equal(Span a, Span b);
bool span_holds(Span outer, Span inner); // each holds itself
