// Puts the artifacts of a build into the output directory, all or none.
#pragma once

#include "compiler/driver/steps.h"

typedef enum { WRITE_NEW, WRITE_UNCHANGED, WRITE_REMOVED } WriteAction;

typedef struct {
    Str path; // as it is shown: directory and name
    WriteAction action;
} WrittenFile;

typedef VEC(WrittenFile) Written;

// Writes every artifact, its source map and plan.json, then removes what the directory's old plan.json lists and this
// build no longer makes; nothing else in there is touched, and a file that already holds the same bytes stays as it
// is. What goes wrong is reported (cannot_write, interrupted), and then nothing was written and the result is empty; or
// set_partial, where the next dtc finishes.
Written output_write(Session *session, Str directory, Str source, const Output *output);

// Finishes or takes away what a dtc that was killed left in a directory, and reports it. False where it could not; also
// reported. A directory that is not there is fine.
bool output_repair(Session *session, Str directory);

// "out/lab.cfn.yaml"; the name alone where the directory is the working directory.
Str output_path(Arena *arena, Str directory, Str name);

// "lab.map.json" of "lab.cfn.yaml"; "llm.k8s.map.json" of "llm.k8s.yaml", and of eksctl's in the same way.
Str output_map_name(Arena *arena, Str name);
