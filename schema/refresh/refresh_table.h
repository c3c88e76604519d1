// A table of the schema while dumps change it. The changes are edits of its text, so everything else stays the same,
// byte for byte.
#pragma once

#include "compiler/base/edit.h"
#include "schema/refresh/refresh.h"

typedef struct {
    Refresh *refresh;
    Str path;
    Str text;
    const Data *file;
    Edits edits;   // of lines that are there
    Edits inserts; // new lines, one edit for each place; table_text() joins them with `edits` that they touch
} Table;

typedef VEC(Str) Texts;

bool table_open(Refresh *refresh, const char *path, Table *table); // false, reported, where it cannot be read

// Puts whole lines in place of others; `start` == `end` adds them there, behind those that were added there before.
// A second replacement of the same lines is a fault.
void table_replace(Table *table, size_t start, size_t end, Str replacement);
Str table_text(Table *table); // with all that was replaced and added; to be called once

// Gives a source its text, or adds it.
void table_put_source(Table *table, const char *key, const char *source);

// Gives `sources` of the table what a dump was read from. False, reported, where DIR/sources.yaml does not say it.
bool table_source(Table *table, const char *key, const char *dump);
void table_close(Table *table);

size_t line_start(Str text, size_t offset);            // of the line of an offset
size_t line_end(Str text, size_t offset);              // behind the line end
size_t entry_end(Str text, size_t offset, int indent); // behind the lines below an entry that are indented more

// `NAME: [a, b]` behind an indent, on as many lines as it takes.
void put_list(StrBuf *out, int indent, const char *name, const Texts *texts);
