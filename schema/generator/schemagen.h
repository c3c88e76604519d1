// Turns the rows of schema/**/*.yaml into C tables; see schemagen.c. Each part reads one noun, checks it, and adds it
// to the output. A part reports a mistake and goes on, so that one run shows every mistake.
#pragma once

#include "compiler/base/session.h"
#include "compiler/base/str_map.h"
#include "schema/row_cells.h"

typedef struct {
    Str name;
    const Data *row;
} NamedRow;

typedef struct {
    Session *session;
    Arena *arena;
    Str directory;
    StrBuf tables;   // schema_tables.c
    StrBuf header;   // schema_kinds.h
    StrBuf measured; // measured.c
    StrBuf sources;  // sources.tsv: table, key, date, month of reading, `final` or `changes`, what it is

    VEC(Str) patterns;   // names, in the order of PATTERN_ROWS
    VEC(NamedRow) kinds; // in the order of KIND_ROWS
    VEC(Str) regions;    // names, in the order of REGION_ROWS
    StrMap offers;       // instance type -> Offer
    StrMap types;        // the initialiser of a Type -> its number
} Generator;

// The regions that offer an instance type: bit i is REGION_ROWS[i].
typedef struct {
    uint64_t regions;
    Span span;
    bool is_used; // there is such a type
} Offer;

// ---- schemagen_text.c: files, words, and C as text

// A word of the rows and the C that it becomes.
typedef struct {
    const char *word;
    const char *c;
} Word;

const Data *read_table(Generator *generator, Str path); // NULL: reported

// A file that is a map of these columns; false, reported, where it is something else. See cells_read().
bool read_columns(Generator *generator, Str path, const Column *columns, int count, const Data **cells);

// Names of the files of a folder below the schema's directory that have an ending, without it, sorted.
typedef VEC(Str) Names;
Names list_files(Generator *generator, const char *folder, const char *ending);

// The C of a word, or NULL and a report that lists the words.
const char *read_word(Generator *generator, const Data *cell, const char *what, const Word *words, int count);
const char *read_accelerator(Generator *generator, const Data *cell, const char *what); // that an image has drivers for
const char *read_architecture(Generator *generator, const Data *cell);

void put(StrBuf *out, const char *format, ...) PRINTF_LIKE(2, 3);
void put_string(StrBuf *out, Str text);              // as a C literal
void put_cell_string(StrBuf *out, const Data *cell); // NULL for an absent cell and for null
void put_truth(StrBuf *out, const Data *cell);       // 1, 0 or UNKNOWN

// Two such sets: what is written today, and what will be.
typedef struct {
    unsigned now;
    unsigned later;
    const char *whole; // what has them: "kind"
} TargetBits;

// `.targets = …, .later = …`; a target is in one of them, and `outer` (may be NULL) has it too. Either list may be
// NULL.
TargetBits put_target_sets(Generator *generator, StrBuf *out, Str name, Span span, const Data *now, const Data *later,
                           const TargetBits *outer);

// ---- schemagen_sources.c

// Adds the sources of a table; reports those without dates.
void read_sources(Generator *generator, Str path, const Data *file);

// Like read_sources(), for tables in C (*.def). There a source stands in a comment that begins with `// source: `.
void read_commented_sources(Generator *generator);

// ---- schemagen_names.c

typedef struct {
    Str name;
    uint32_t number;
} NumberedName;

// Names that are gathered and then written as StoredName rows (schema.h).
typedef struct {
    Generator *generator;
    const char *what; // one of them: "policy"
    VEC(NumberedName) rows;
    StrMap seen;
} StoredNames;

// Adds the names of a list, which have the number; what is no name, or there already, is reported.
void stored_names_read(StoredNames *names, const Data *list, uint32_t number);

// Writes PREFIX_TEXTS, the rows as `table`, and PREFIX_ROW_COUNT.
void stored_names_write(StoredNames *names, const char *table, const char *prefix);

// ---- schemagen_types.c

// Reads a type as it is written, and returns the number of its TYPE_… in the tables; -1, reported. `words` (may be
// NULL) maps every word and tag of the type to its doc, or to its doc and the targets that it is for. These targets are
// some of `outer` (NULL: it can have none of its own).
int read_type(Generator *generator, const Data *text, const Data *words, const TargetBits *outer);
void write_named_types(Generator *generator);

// ---- the nouns, in the order they are read

void generate_patterns(Generator *generator);
void generate_kinds(Generator *generator);
void generate_regions(Generator *generator);
void generate_instances(Generator *generator);
void generate_images(Generator *generator);
void generate_parameters(Generator *generator);
void generate_quotas(Generator *generator);
void generate_kubernetes(Generator *generator); // after the instances, whose families it names
void generate_objects(Generator *generator);
void generate_plugins(Generator *generator); // after the regions
void generate_policies(Generator *generator);
void generate_addresses(Generator *generator);
void generate_devices(Generator *generator);
void generate_device_faults(Generator *generator);
void generate_collectives(Generator *generator);
void generate_constants(Generator *generator);
