// The journal of a set of files: what the set will do to its folder, as a text that survives a kill.
#pragma once

#include "compiler/base/str.h"
#include "compiler/base/vec.h"

typedef enum {
    STEP_PUT,    // a staged file gets its name
    STEP_REMOVE, // a file goes, if it still has the sum
} StepAction;

typedef struct {
    StepAction action;
    Str name;   // plain, without a folder
    Str sha256; // of the file that is put, or of the one that goes
} SetStep;

typedef VEC(SetStep) SetSteps;

Str journal_write(Arena *arena, const SetSteps *steps);

// False for a text that journal_write() did not write, and for one that is cut short or was changed.
bool journal_read(Arena *arena, Str text, SetSteps *steps);

// Whether a set can hold a file of this name: no folder in it, no control character, not `.` or `..`.
bool journal_takes_name(Str name);
