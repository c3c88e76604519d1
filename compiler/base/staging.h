// The folder `.dtc-set` inside another folder. It holds the files of a set until they get their names.
#pragma once

#include "compiler/base/file_put.h"
#include "compiler/base/journal.h"

enum { STAGED_BYTES_MAX = 256 * 1024 * 1024 }; // of a file; a larger one cannot be held against its sum

typedef struct {
    Arena *arena;
    Str directory;  // that the files are for; without a slash at its end
    SetSteps steps; // what is to be done; a staged file is called by the number of its step
    bool is_made;   // the folder is there
} Staging;

// What was done of the steps.
typedef struct {
    uint32_t put_count;     // files that got their names
    uint32_t removed_count; // files that went
} StepCount;

// The path of a file of the directory, whoever made it.
const char *staging_target(const Staging *staging, Str name);

// All texts are for people, and NULL where nothing went wrong.

// Whether an earlier dtc left such a folder.
const char *staging_look(const Staging *staging, bool *is_there);

bool staging_takes_name(Str name); // whether a set can hold a file of this name

// Writes the file of the last step, or the journal with all of them. Makes the folder where it is not there yet.
const char *staging_put(Staging *staging, Str content, const FileLook *look);
const char *staging_put_journal(Staging *staging);

// Reads the steps of the journal that an earlier dtc left. `*is_whole` is true if all of them can be taken, or were.
// Otherwise the old files stand, because no step is taken before the journal and all files are on the disk.
const char *staging_read_journal(Staging *staging, bool *is_whole);

// Takes the steps in their order. Where an earlier dtc began with them, some are done already: those are passed over.
typedef enum { STEPS_NEW, STEPS_BEGUN } StepsState;
const char *staging_take(const Staging *staging, StepsState state, StepCount *count);

// Removes the folder with what dtc put there. The journal goes first: without it the other files mean nothing.
const char *staging_clear(Staging *staging);
