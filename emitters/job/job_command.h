// What a launcher runs, word by word. Each target puts words of its own in front, and writes each word in its own form.
#pragma once

#include "compiler/plan/model/plan.h"
#include "emitters/doc/constants.h"

// A word of dtc's, or one of the author's.
typedef struct {
    Str text;             // of dtc's
    const Value *value;   // the author's: a string, may be late; NULL: `text` is the word
    const Origin *origin; // of `text`
} JobWord;

typedef VEC(JobWord) JobWords;

void job_add_word(Arena *arena, JobWords *words, Why reason, const char *word);
void job_add_number(Arena *arena, JobWords *words, const Value *number);

// "neuron_parallel_compile" before the command and its launcher, if the job compiles only.
void job_add_precompile(Arena *arena, JobWords *words, const PlanJob *job);

// The author's command, one word each; nothing where it is the image's own. Rules launcher_command and command_of_job
// have held that it is known as a list.
void job_add_command(Arena *arena, JobWords *words, const PlanJob *job);

// Options of mpirun that depend on what the nodes have.
void job_add_mpirun_options(Arena *arena, JobWords *words, const PlanJob *job);

// "--nproc-per-node 8", and what makes torchrun start any program. It does so with a file of Python and with `-m`
// alone, so that a command means the same for every launcher.
void job_add_torchrun_options(Arena *arena, JobWords *words, const PlanJob *job);

// The second of these alone.
void job_add_torchrun_program(Arena *arena, JobWords *words, const PlanJob *job);
