// Compares dumps of AWS with the rows of the schema, and collects what would change; see refresh.c. Each part takes one
// kind of dump, and leaves the files that it changes in `changes`. If a dump or a row is wrong, that is reported, and
// then nothing is printed.
#pragma once

#include "compiler/base/session.h"
#include "compiler/base/str_map.h"
#include "schema/row_instance.h"

// A file of the schema before and after; `before` is empty where it is new.
typedef struct {
    Str path; // from the root of the tree: "schema/instances/m5.yaml"
    Str before;
    Str after;
} Change;

typedef struct {
    Session *session;
    Arena *arena;
    Str schema; // the folder of the rows
    Str dumps;  // the folder of the dumps
    const Data *dates;
    VEC(Change) changes;
    StrMap accelerated; // names of types that a dump describes with accelerators
    StrBuf remarks;     // what a reviewer should know and no row says, one a line
} Refresh;

// ---- refresh_files.c: dumps and rows as files

typedef VEC(Str) Paths;

// The files of a folder of dumps with an ending, sorted; none, remarked, where there is no such folder.
Paths dumps_list(Refresh *refresh, const char *folder, const char *ending);

// A file as a map; NULL, reported, where it is none. `*text` (may be NULL) is what it holds.
const Data *refresh_read(Refresh *refresh, Str path, Str *text);

// The file of one dump; NULL where there is none, which is remarked, and where it is no map, which is reported.
const Data *dump_read(Refresh *refresh, const char *name);

// What a dump was read from and when, of DIR/sources.yaml; NULL, reported, where it does not say.
const char *dump_source(Refresh *refresh, const char *dump);

// The text of a file of the schema; false where there is none.
bool rows_text(Refresh *refresh, Str path, Str *text, const Data **file);

void remark(Refresh *refresh, const char *format, ...) PRINTF_LIKE(2, 3);
void change_add(Refresh *refresh, Str path, Str before, Str after);

Str one_line(Arena *arena, Str text); // trimmed, every run of blanks and line ends as one blank

// A text in double quotes behind `key`, broken at blanks so that lines have 120 characters at most.
void put_quoted(StrBuf *out, int indent, const char *key, Str text);

// ---- the parts

void refresh_instances(Refresh *refresh);
void refresh_regions(Refresh *refresh);
void refresh_kubernetes(Refresh *refresh);
void refresh_plugins(Refresh *refresh);

bool is_type_name(Str text); // "c5.large"
bool is_word(Str text);      // "us-east-1", "use1": small letters, then digits and hyphens too; a row needs no quotes

// ---- refresh_cells.c: what EC2 describes, as cells of a row

enum { DESCRIBED_COLUMNS = COLUMN_CAPACITY + 1 }; // the columns from the first on that a description fills

// Whether a description knows a column and says something else than a row.
bool cell_differs(int column, const ReadInstance *described, const InstanceRow *row);

// The cell as the description has it; what it does not know is taken from `row`, or is null where that is NULL.
Str cell_of(Arena *arena, int column, const ReadInstance *described, const InstanceRow *row);

// ---- refresh_family.c: the file of one family

// A type that a dump names: with what EC2 says of it, or by its name alone.
typedef struct {
    Str name;
    const ReadInstance *described; // NULL: the name is all there is
} Wanted;

typedef VEC(Wanted) WantedTypes;

// Brings the types of one family into its file, or into a new one.
void refresh_family(Refresh *refresh, Str family, const WantedTypes *types);
