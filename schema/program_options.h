// Options and commands of programs of training, and which values they take. program_options.def has the rows.
#pragma once

#include "compiler/base/str.h"

// Who reads the options.
typedef enum {
    ARGS_TORCHRUN,
    ARGS_ACCELERATE,
    ARGS_DEEPSPEED,
    ARGS_MPIRUN,
    ARGS_NCCL_TESTS,
    ARGS_COUNT,
} ProgramArgs;

// What a value has to look like.
typedef enum {
    ARGUMENT_TEXT, // anything
    ARGUMENT_NUMBER,
    ARGUMENT_NUMBER_OR, // or a word of the row
    ARGUMENT_RANGE,     // `2` or `2:4`
    ARGUMENT_SIZE,      // `8`, `128M`
    ARGUMENT_WORD,      // of the row
    ARGUMENT_WORD_ANY_CASE,
    ARGUMENT_NEAR, // a word of the row, up to `:` or `=`, or one that is near to none of them
} ProgramForm;

typedef struct {
    ProgramArgs program;
    const char *name; // with its `-`
    int takes;        // words of its value; -1: nobody knows
    ProgramForm form;
    const char *words;
} ProgramOption;

typedef struct {
    const char *program;
    const char *before; // the word between the program and the command; empty: none
    bool is_whole;
    const char *words;
} ProgramCommand;

typedef struct {
    const char *program;
    const char *before;
    const char *word;
    const char *meant;
    const char *with; // options, with `|` between; empty: none has to be there
} ProgramOther;

const ProgramOption *program_option_row(size_t i);   // NULL behind the last one
const ProgramCommand *program_command_row(size_t i); // likewise
const ProgramOther *program_other_row(size_t i);     // likewise

// The option of a name, or of the beginning of one, as the program spells its names; NULL: it has none.
const ProgramOption *program_option_named(ProgramArgs program, Str name);

// Whether the program takes a value; what it takes, for messages.
bool program_value_fits(const ProgramOption *option, Str value);
const char *program_value_words(const ProgramOption *option);
