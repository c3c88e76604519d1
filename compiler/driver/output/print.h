// Prints text for people on standard output: paragraphs and tables.
#pragma once

#include "compiler/base/str.h"
#include "compiler/base/vec.h"

enum {
    PRINT_WIDTH = 78,      // of a line, so that a terminal of 80 columns never breaks one
    PRINT_COLUMNS_MAX = 10 // of a table
};

// Paragraphs (split by blank lines) broken at blanks, each line behind `indent` blanks. Lines that begin with a blank
// stay as they are. A word longer than a line has one of its own.
void print_wrapped(StrBuf *out, Str text, size_t indent);

// Like print_wrapped(), with a label to the left of the first line. Later lines are indented by its width.
void print_labelled(StrBuf *out, Str label, size_t indent, Str text);

// A table under way: cells are added row by row.
typedef struct {
    Arena *arena;
    int columns;
    unsigned right; // bits: columns that are aligned to the right
    VEC(Str) cells;
} Table;

// Adds one cell; a row is full when `columns` are added.
void table_add(Table *table, Str cell);
void table_add_format(Table *table, const char *format, ...) PRINTF_LIKE(2, 3);

// Columns two blanks apart, as wide as their widest cell; no blanks at line ends.
void table_print(const Table *table, StrBuf *out, size_t indent);

// How many columns of a terminal a text takes: its code points.
size_t print_columns(Str text);
