// plan.json: what a build wrote, and the order in which it is deployed and deleted.
#pragma once

#include "emitters/emitter.h"

#define PLAN_FILE "plan.json"

typedef struct {
    Str name; // plain, without a folder
    Str sha256;
} ListedFile;

typedef VEC(ListedFile) ListedFiles;

// The text of plan.json. `source` is the path of the main file. Only its last part is written. `files` is all that the
// build writes beside plan.json, with each artifact.
Str steps_write(Arena *arena, Str source, const Output *output, const ListedFiles *files);

// The files that a plan.json lists. False where the text was not written by steps_write() of this or another dtc.
bool steps_read_files(Arena *arena, Str text, ListedFiles *files);
