// A batch script of Slurm, or another script of a shell that launches, as rules ask for it: what its `#SBATCH` lines ask for,
// and what srun starts in it. Each srun, and the script as a whole, fills a PlanLauncher, so that rules about launchers hold
// here as in every other way in.
#pragma once

#include "compiler/plan/model/launcher.h"
#include "compiler/semantics/subject.h"
#include "schema/slurm_options.h"

// An option, in a line of `#SBATCH` or behind srun.
typedef struct {
    const SlurmOptionRow *row; // NULL: neither Slurm nor Pyxis has it
    PlanField name;            // as it is written, with its `-`, and without its value
    PlanField value;           // FIELD_LATE: a shell fills it in
} PlanSlurmOption;

typedef VEC(PlanSlurmOption) PlanSlurmOptions;

// What one srun starts. Numbers are -1 where nobody knows them.
typedef struct {
    Span span; // of the word `srun`
    PlanSlurmOptions options;
    PlanField nodes;              // by its own option; absent: as the script has it
    PlanField tasks;              // likewise, `--ntasks`
    int64_t node_count;           // that it runs on
    int64_t each;                 // tasks that it starts on each of them
    Span each_span;               // of what says so
    int64_t gpus;                 // of each node
    Span gpus_span;               // likewise
    bool is_of_some;              // other nodes may run something else
    bool is_background;           // the script goes on while it runs: it ends in `&`
    bool is_vague;                // some of its options come from elsewhere
    const PlanLauncher *launcher; // what it starts, without srun and its options; NULL: nothing is known
} PlanSlurmStep;

typedef struct PlanSlurmScript {
    const Subject *subject;
    Span file;        // all of it
    Str text;         // likewise
    bool is_batch;    // it is for sbatch; else each node may run it, and no line is one of sbatch's
    bool has_shell;   // its first line says who runs it
    bool is_rendered; // something may fill in `$NAME` before sbatch reads it
    bool is_het;      // several jobs that start together, each with lines of its own
    PlanSlurmOptions options;
    VEC(PlanField) strays; // words of `#SBATCH` lines that are no options
    Span command;          // the first one; SPAN_NONE: there is none
    VEC(Span) late;        // `#SBATCH` lines behind it
    VEC(PlanSlurmStep) steps;
    VEC(PlanSlurmStep) own;        // launchers that run without srun: of a batch script on the first node alone
    VEC(PlanSlurmStep) containers; // launchers that docker starts, with the words from `docker` on
    VEC(PlanSlurmStep) submits;    // each sbatch that it starts, with its options
    PlanLauncherVariables exports; // what it sets for all that it starts, where that is known
    PlanLauncherVariables sets;    // each that it sets for a program, in whatever way; values may be FIELD_LATE
    const PlanLauncher *launcher;  // all of its commands; NULL: no launcher is among them
} PlanSlurmScript;

// The last option of a name, which counts; NULL: there is none.
const PlanSlurmOption *slurm_option(const PlanSlurmOptions *options, const char *name);

// The number that an option says; -1: there is none, or nobody knows it.
int64_t slurm_number(const PlanSlurmOptions *options, const char *name);

// The place of a part of the script's text, from one offset of it to another.
Span slurm_span(const PlanSlurmScript *script, size_t start, size_t end);

// Whether a command of the script stands in a line that begins at the margin, and so in no branch, loop or function.
bool slurm_is_at_margin(const PlanSlurmScript *script, Span command);

// The name of the file of the script that a step starts, `train.sh` of `srun bash /fsx/train.sh 8`; empty: it starts another
// program.
Str slurm_started(const PlanSlurmStep *step);

// How many GPUs of each node options ask for, of so many nodes; -1: none, or nobody knows. `*span` is where they say so.
int64_t slurm_gpus(const PlanSlurmOptions *options, int64_t nodes, Span *span);
