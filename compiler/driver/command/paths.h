// What commands read that take many files: files, those in folders, standard input.
#pragma once

#include "compiler/base/file_walk.h"
#include "compiler/driver/command/command.h"

// The paths that the command line gives, each once and in that order; in place of a folder all files below that are
// wanted. A folder that cannot be read is reported.
FilePaths paths_of(Run *run, FileWanted *is_wanted);

// Whether a file is called as those of other tools are, which `dtc lint` reads.
bool path_is_foreign(Str name);

// A source with all of standard input; 0, reported, where it cannot be read. `--name` says what it is called.
uint32_t load_standard_input(Session *session, const Options *options);

bool paths_are_files(Run *run); // the command line names each file, and no folder
