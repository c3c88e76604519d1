// What commands read that take many files: files, those in folders, standard input.
#pragma once

#include "compiler/base/file_walk.h"
#include "compiler/driver/command/command.h"

// Adds a path that is given; of a folder all files below that are wanted. What cannot be read is reported.
void paths_add(Run *run, Str path, FileWanted *is_wanted, FilePaths *paths);

// A source with all of standard input; 0, reported, where it cannot be read. `--name` says what it is called.
uint32_t load_standard_input(Run *run);
