// A table of the schema while dumps change it: edits of its text, so that what nobody changes stays byte by byte.
#pragma once

#include "compiler/base/edit.h"
#include "schema/refresh.h"

typedef struct {
    Refresh *refresh;
    Str path;
    Str text;
    const Data *file;
    Edits edits;
} Table;

typedef VEC(Str) Texts;

bool table_open(Refresh *refresh, const char *path, Table *table); // false, reported, where it cannot be read
void table_replace(Table *table, size_t start, size_t end, Str replacement);

// Gives a source its text, or adds it.
void table_put_source(Table *table, const char *key, const char *source);

// Gives `sources` of the table what a dump was read from. False, reported, where DIR/sources.yaml does not say it.
bool table_source(Table *table, const char *key, const char *dump);
void table_close(Table *table);

size_t line_start(Str text, size_t offset);             // of the line of an offset
size_t line_end(Str text, size_t offset);               // behind the line end
size_t entry_end(Str text, size_t offset, int indent);  // behind the lines below an entry that are indented more

// `NAME: [a, b]` behind an indent, on as many lines as it takes.
void put_list(StrBuf *out, int indent, const char *name, const Texts *texts);
