// How launchers spell their options: launcher.def has each spelling, and nobody else. A field of a PlanLauncher stands for all
// options that fill it, of whatever program.
#pragma once

#include "compiler/plan/model/launcher.h"

#include <stddef.h>

#define LAUNCHER_OPTION(field) offsetof(PlanLauncher, field)

// A row of launcher.def; NULL behind the last one.
typedef struct {
    size_t field;
    PlanProgram program; // that has to run for it to count
    const char *name;
    const char *with; // another option that has to stand beside it; NULL: none
} LauncherOption;

const LauncherOption *launcher_option_row(size_t i);

// The usual spelling of the options that fill a field: "--nnodes" of `nodes`.
const char *launcher_option_name(size_t field);

// How many bytes at the start of a text are such an option: of `--node_rank=0` those before `=`. 0: it begins with none.
size_t launcher_option_starts(Str text, size_t field);
bool launcher_option_ends(Str text, size_t field); // whether a text ends with one, with its `-` or without

// Whether any word has such an option, with a value or without, or what is spelled as one without its `-`.
bool launcher_option_is_said(const PlanLauncher *launcher, size_t field);

// The option of a field as the command spells it, or the usual spelling where the file has it in another way.
Str launcher_option_spelling(const Session *session, const PlanField *field);

// The program whose option fills a field: "torchrun" where it is any.
const char *launcher_option_program(const PlanField *field);

// An option of a launcher that infra.dt starts.
typedef struct {
    PlanProgram program;
    const char *name; // without `-`
    int words;        // that follow it
    const char *job;  // the attribute of a job that says the same; NULL: none does
} LauncherWord;

const LauncherWord *launcher_word_row(size_t i); // NULL behind the last one

// The option that a word is, with one `-` or two, up to `=`; NULL: none that is known.
const LauncherWord *launcher_word(PlanProgram program, Str word);
