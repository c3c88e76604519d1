// Writes the artifacts of a build into the output directory: all of them or none.
#pragma once

#include "compiler/driver/output/steps.h"

typedef enum { WRITE_NEW, WRITE_UNCHANGED, WRITE_REMOVED } WriteAction;

typedef struct {
    Str path; // as it is shown: directory and name
    WriteAction action;
} WrittenFile;

typedef VEC(WrittenFile) Written;

// Writes every artifact, its source map and plan.json, and removes files that the directory's old plan.json lists and
// this build no longer makes. A file that already holds the same bytes is left alone, and so is every other file.
//
// A fault is reported, and the result is empty. After cannot_write and interrupted nothing was written. After
// set_partial some files are new and others old, and the next dtc finishes.
Written output_write(Session *session, Str directory, Str source, const Output *output);

// Reports why a file could not be written: a signal came, or `fault`, with a help. `help` may be NULL.
void write_report_fault(Session *session, Str path, const char *fault, const char *help);

// Finishes or removes what a killed dtc left in a directory, and reports that. False, also reported, where it could
// not. Does nothing where there is no such directory.
bool output_repair(Session *session, Str directory);

// "out/lab.cfn.yaml"; the name alone where the directory is the working directory.
Str output_path(Arena *arena, Str directory, Str name);

// "lab.map.json" of "lab.cfn.yaml"; "llm.k8s.map.json" of "llm.k8s.yaml", and of eksctl's in the same way.
Str output_map_name(Arena *arena, Str name);
