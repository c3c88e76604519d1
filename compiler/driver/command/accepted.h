// The baseline of a run of `dtc lint`: which file it is, and what becomes of it.
#pragma once

#include "compiler/driver/command/command.h"
#include "compiler/driver/lint/baseline.h"

// Start from `(Accepted){ 0 }`.
typedef struct {
    Str path;           // of the file; empty: the run has no baseline
    Baseline *baseline; // what the file held
    uint32_t count;     // findings that it accepts
    Str stale;          // rows that no finding has, for people
    uint32_t stale_count;
} Accepted;

// Finds the file that the command line or the project names, and reads it. STATUS_CLEAN, or what was printed.
ExitStatus accepted_begin(Run *run, const Project *project, Accepted *accepted);

// Writes the file, where that is asked for and the run read all that it was to read. Then hides what it accepts.
void accepted_end(Run *run, Accepted *accepted, const FilePaths *paths);

// Says which rows no finding has.
void accepted_print_stale(Run *run, const Accepted *accepted);

// "; 12 findings accepted by dtc.tsv"; empty where none is.
Str accepted_words(Arena *arena, const Accepted *accepted);
