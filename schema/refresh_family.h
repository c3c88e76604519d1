// The file of a family while it is changed: refresh_family.c decides which cells change, refresh_layout.c writes rows.
#pragma once

#include "schema/refresh.h"

typedef struct {
    Str name;
    const InstanceRow *row; // as the file has it; NULL: a new type
    const Data *cells;      // the same as data
    Span key;
    Str raw;                 // its text, from the start of its first line to the end of its last
    Str lead;                // what stands between the row before it and `raw`: comments and empty lines
    bool is_block;           // a line for each column, not a map in braces
    bool is_changed;
    Str text[COLUMN_COUNT];  // each cell on one line; empty: it has none of its own
    Str news[COLUMN_COUNT];  // what it becomes or comes to be; empty: it stays
} Draft;

typedef VEC(Draft) Drafts;

// The text of a value behind its key: up to the key of the next entry of its map, or to the map's end.
Str entry_text(Arena *arena, Str text, const Data *map, uint32_t index, size_t map_end);

// Rows with their new cells, each with its line end; widths of columns are those of all rows in braces.
Str drafts_layout(Arena *arena, const Drafts *drafts);

// `key: value` of a column as a line of its own, or as several where it is too long.
void put_column_line(StrBuf *out, int indent, const char *name, Str value);
