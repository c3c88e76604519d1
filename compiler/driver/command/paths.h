// What commands read that take many files: files, those in folders, standard input.
#pragma once

#include "compiler/base/file_walk.h"
#include "compiler/driver/command/command.h"

// The paths that the command line gives, each once and in that order; in place of a folder all files below that are
// wanted. A folder that cannot be read is reported. Folders of copies and of what tests read are not entered, and added to
// `left`, unless the command line names them or what is in them; NULL: each is entered.
FilePaths paths_of(Run *run, FileWanted *is_wanted, FilePaths *left);

// Whether a file is called as those of other tools are, which `dtc lint` reads.
bool path_is_foreign(Str name);

// All of standard input. `fault` says why it cannot be read; NULL: it can.
typedef struct {
    Str text;
    const char *fault;
} StandardInput;

StandardInput standard_input_read(Arena *arena);

// A source of it; 0, reported, where it could not be read. `--name` says what it is called. The text is borrowed.
uint32_t standard_input_add(Session *session, const Options *options, const StandardInput *input);

bool paths_are_files(Run *run); // the command line names each file, and no folder
