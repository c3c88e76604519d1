// The file of a family while it is changed. refresh_family_file.c reads and writes it, refresh_family.c decides which
// cells change, and refresh_layout.c writes rows.
#pragma once

#include "schema/refresh/refresh.h"

typedef struct {
    Str name;
    const InstanceRow *row; // as the file has it; NULL: a new type
    const Data *cells;      // the same as data
    Span key;
    Str raw;       // its text, from the start of its first line to the end of its last
    Str lead;      // what stands between the row before it and `raw`: comments and empty lines
    bool is_block; // a line for each column, not a map in braces
    bool is_changed;
    Str text[COLUMN_COUNT]; // each cell on one line; empty: it has none of its own
    Str news[COLUMN_COUNT]; // what it becomes or comes to be; empty: it stays
} Draft;

typedef VEC(Draft) Drafts;

typedef struct {
    Refresh *refresh;
    Arena *arena;
    Str name;
    Str path;
    Str text; // empty: the file is new
    const Data *file;
    const Data *common;       // may be NULL
    Str shared[COLUMN_COUNT]; // the cells of `common`
    Str shared_news[COLUMN_COUNT];
    bool has_left[COLUMN_COUNT]; // `common`, for each row
    Drafts drafts;
    bool is_complete; // each row of the file is described
    bool is_changed;
    const char *source; // of the descriptions
    Str source_key;
    bool is_source_new; // its key is to be added to `sources`
    Str list_key;       // of the list of names
    bool is_list_new;
} Family;

// Reads the file, where there is one. False where it is not as it should be, which is reported.
bool family_read(Family *family);

// The text with the family's changes; `list` is the source of names, where one is new.
Str family_changed_file(Family *family, const char *list);
Str family_new_file(Family *family, const char *list);

// The text of a value behind its key: up to the key of the next entry of its map, or to the map's end.
Str entry_text(Arena *arena, Str text, const Data *map, uint32_t index, size_t map_end);

// Rows with their new cells, each with its line end. Columns are as wide as in all rows in braces.
Str drafts_layout(Arena *arena, const Drafts *drafts);

// `key: value` of a column as a line of its own, or as several where it is too long.
void put_column_line(StrBuf *out, int indent, const char *name, Str value);
