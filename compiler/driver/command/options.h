// The options and operands of the command line: their table and their reader.
#pragma once

#include "compiler/driver/render/render.h"
#include "compiler/readers/foreign.h"
#include "compiler/semantics/program.h"
#include "emitters/emitter.h"

typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorMode;

typedef enum {
    OPTION_OUTPUT,
    OPTION_PARAM,
    OPTION_PARAMS,
    OPTION_SCHEMA,
    OPTION_FACTS,
    OPTION_FORMAT,
    OPTION_SOURCE_MAP,
    OPTION_COMPLETE,
    OPTION_CORE,
    OPTION_STRICT,
    OPTION_ERRORS,
    OPTION_FIX,
    OPTION_CHECK,
    OPTION_DIFF,
    OPTION_NAME,
    OPTION_KIND,
    OPTION_ONLY,
    OPTION_SKIP,
    OPTION_CONFIG,
    OPTION_NO_CONFIG,
    OPTION_BASELINE,
    OPTION_WRITE_BASELINE,
    OPTION_DIAGNOSTICS,
    OPTION_COLOR,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_COUNT
} OptionId;

// A word that an option takes, and the enumerator that it stands for.
typedef struct {
    const char *word; // NULL behind the last
    int value;
} OptionWord;

typedef struct {
    const char *spelling;       // "-o", "--params"
    const char *short_spelling; // "-h" beside "--help"; NULL without one
    const char *value;          // what its value is called: "DIR"; NULL where it takes none
    const OptionWord *words;    // all that its value may be; NULL where any text will do
    bool is_repeatable;
    const char *doc;
} OptionRow;

extern const OptionRow OPTION_ROWS[OPTION_COUNT];

#define OPTION_BIT(id) (1u << (id))

typedef struct {
    unsigned seen; // OPTION_BIT of each option that was given
    Str output;
    VEC(ParamArgument) arguments;
    VEC(Str) param_files;
    VEC(Str) schema_files;
    VEC(Str) fact_files;
    Str core_directory;
    Str name;         // of what is read from standard input
    ForeignKind kind; // FOREIGN_NONE: the content of a file decides
    VEC(DiagId) only; // empty: all
    VEC(DiagId) skip;
    Str config;   // in place of the project file; empty: none is named
    Str baseline; // accepted findings; empty: the project file says
    OutputFormat format;
    DiagnosticsFormat diagnostics;
    ColorMode color;
    bool wants_map;
    bool has_no_config;
    bool writes_baseline;
    bool is_strict;
    bool wants_errors; // alone
    bool wants_fixes;
    bool wants_check;
    bool wants_diff;
    bool is_complete;
    bool wants_help;
    bool wants_version;
    VEC(Str) operands; // all that is no option: the command first
} Options;

// Bad usage: one line and, where there is one, the way out.
typedef struct {
    Str message; // empty: there is none
    Str hint;
} UsageFault;

// Reads all arguments but the program's name. False with a fault where one of them cannot be meant.
bool options_parse(Arena *arena, int count, const char *const *arguments, Options *options, UsageFault *fault);

// "-o DIR", "-h, --help": for help texts.
Str option_describe(Arena *arena, OptionId id);
