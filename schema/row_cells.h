// Rows and their cells: what schemagen and the reader of `--schema` share. Every mistake is a DT0920, at its place.
#pragma once

#include "compiler/base/data.h"

// What a cell may hold, as bits.
typedef enum {
    CELL_NULL = 1, // no source says
    CELL_NONE = 2, // the word `none`
    CELL_BOOL = 4,
    CELL_INT = 8,
    CELL_REAL = 16,
    CELL_TEXT = 32, // not the word `none` where CELL_NONE is given too
    CELL_LIST = 64,
    CELL_MAP = 128,
    CELL_OPTIONAL = 256, // the cell may be absent
    CELL_REPLACES = 512, // the cell of a row may stand in place of the one in `common`
} CellKind;

typedef struct {
    const char *name;
    unsigned takes; // bits of CellKind
} Column;

void cell_fault(Session *session, Span span, const char *format, ...) PRINTF_LIKE(3, 4);

// Finds each column's cell in `row`, or else in `common` (NULL: there is none); cells[i] stays NULL where an optional
// one is absent. Reports what is missing, unknown, in both or of the wrong kind, and then returns false.
bool cells_read(Session *session, Str name, Span span, const Data *row, const Data *common, const Column *columns,
                int count, const Data **cells);

// Reports keys of a map that are no columns; false where there are some.
bool cells_check_keys(Session *session, Str name, const Data *map, const Column *columns, int count);

bool cell_is(const Data *cell, const char *word);

// The place of a cell's word among `words`, or -1 and a report that lists them.
int cell_word(Session *session, const Data *cell, const char *what, const char *const *words, int count);

// An integer within bounds, or UNKNOWN_CELL for null; out of bounds is reported and gives `least`.
enum { UNKNOWN_CELL = -1 };
int64_t cell_int(Session *session, const Data *cell, const char *what, int64_t least, int64_t most);

// The text of a cell without blanks around it, in the session's arena; NULL for an absent cell and for null.
const char *cell_string(Session *session, const Data *cell);

// Digits of text from `*offset` on, which moves behind them; -1 where there are none or too many.
int read_digits(Str text, size_t *offset);
