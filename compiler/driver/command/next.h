// The last lines of a build: the commands to type next.
#pragma once

#include "compiler/driver/command/command.h"

// Prints the steps that can be taken now, the files that wait, and the commands by which they are finished. Each
// command is typed where those before it have led, beginning with the directory in which the build of `path` was run.
void next_print(Run *run, Str path, const Output *output);
