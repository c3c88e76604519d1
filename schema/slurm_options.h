// Options of sbatch and srun, and which values Slurm takes for them. slurm_options.def has the rows.
#pragma once

#include "compiler/base/str.h"

// Who has an option.
typedef enum {
    SLURM_SBATCH = 1,
    SLURM_SRUN = 2,
    SLURM_BOTH = 3,
} SlurmProgram;

// Whether a value follows: only behind `=` where it may be left out.
typedef enum {
    SLURM_NO_VALUE,
    SLURM_MAY_VALUE,
    SLURM_VALUE,
} SlurmOptionTakes;

// What a value has to look like.
typedef enum {
    SLURM_TEXT, // anything
    SLURM_NUMBER,
    SLURM_NODES,
    SLURM_TIME,
    SLURM_MEMORY,
    SLURM_SHARING,
    SLURM_MAIL,
    SLURM_GRES,
    SLURM_ARRAY,
    SLURM_MOUNTS, // of Pyxis, as the next one
    SLURM_IMAGE,
    SLURM_MPI,
} SlurmForm;

typedef struct {
    const char *name; // without `--`
    char letter;      // 0: none
    SlurmOptionTakes takes;
    SlurmProgram programs;
    SlurmForm form;
} SlurmOptionRow;

const SlurmOptionRow *slurm_option_row(size_t i); // NULL behind the last one

// The option of a name without `--`, or of the beginning of one, as getopt_long takes it; NULL: the program has none.
const SlurmOptionRow *slurm_option_named(Str name, SlurmProgram program);
const SlurmOptionRow *slurm_option_lettered(char letter, SlurmProgram program);

// Whether Slurm takes a value of this form; what it takes, for messages.
bool slurm_form_fits(SlurmForm form, Str value);
const char *slurm_form_words(SlurmForm form);
