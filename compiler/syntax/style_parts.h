// What the files of the formatter share. All others include style.h.
#pragma once

#include "compiler/syntax/ast.h"
#include "compiler/syntax/style.h"

enum {
    ATOM_COMMENT = TOKEN_COUNT, // kinds beside those of tokens
    ATOM_FOREIGN,
    ATOM_NONE = UINT32_MAX,
};

// What is never split: a token, a whole string with all that stands in its `${ }`, a comment.
typedef struct {
    uint32_t kind; // TokenKind, ATOM_COMMENT or ATOM_FOREIGN
    uint32_t start;
    uint32_t end;
    uint32_t partner;        // of a bracket: the other one
    uint32_t frame;          // the innermost bracket around it; ATOM_NONE at the top of the file
    uint32_t entry;          // the first atom of the entry around it
    uint32_t entry_end;      // of the first atom of an entry: behind its last one
    uint32_t line_ends;      // before it, behind the atom before
    uint32_t pad;            // blanks before it beside those that always stand there: what aligns it
    bool is_separated;       // it begins an entry, and a line end or comma stands before it
    bool is_behind_comma;    // that is a comma
    bool is_message;         // of an `assert` or `allow`: the comma before it belongs to the entry
    bool is_unary;           // `-` or `!` before its operand
    bool is_optional;        // `?` behind a type
    bool is_broken_before;   // a line end goes before it
    bool is_below_a_comment; // it goes on with the comment at the end of the line before
} Atom;

typedef VEC(Atom) Atoms;

// A line of the result.
typedef struct {
    uint32_t first; // atom
    uint32_t end;
    uint32_t indent;
    bool is_blank_before;
    bool is_frozen; // from `raw_start` to `raw_end` as the source has it
    uint32_t raw_start;
    uint32_t raw_end;
} StyleLine;

typedef VEC(StyleLine) StyleLines;

typedef struct {
    Arena *arena;
    Str text;
    Atoms atoms;
    bool *frozen;         // for each line of the source
    uint32_t *line_start; // where it begins; one more than there are lines
    uint32_t line_count;
    StyleLines lines;
} Style;

// ---- style_atoms.c

// The atoms of a source's tokens.
void style_scan(Style *style, const Tokens *tokens);

// Freezes the lines of the entries that a text belongs to.
void style_freeze(Style *style, uint32_t start, uint32_t end);

// To be called after the last style_freeze(): what shares a line with a frozen text is frozen.
void style_freeze_whole(Style *style);

uint32_t style_line_of(const Style *style, uint32_t offset);
bool style_is_open(uint32_t kind);
bool style_is_close(uint32_t kind);

// The next atom that is no comment, or ATOM_NONE.
uint32_t style_next(const Style *style, uint32_t index);

// ---- style_lines.c

// Puts the atoms into lines.
void style_lay(Style *style);

// What stands between an atom and the one before it on its line: "", " " or ", ".
Str style_gap(const Style *style, uint32_t atom);

// How many columns a line takes up to an atom of it, or to its end; without its indent.
uint32_t style_width(const Style *style, const StyleLine *line, uint32_t end);

// The comment at the end of a line that also has text, or goes on with the one of the line before; else ATOM_NONE.
uint32_t style_tail(const Style *style, const StyleLine *line);

// ---- style_align.c

// Puts blanks before what stands below something.
void style_align(Style *style);
