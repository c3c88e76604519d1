// Programs of a shell, by what they do with their words.
#pragma once

#include "compiler/base/str.h"

bool shell_is_shell(Str program);       // `bash`, `/bin/sh`
bool shell_starts_another(Str program); // its words are a command: `sudo`, `env`
bool shell_only_says(Str program);      // it prints its words: `echo`
bool shell_runs_nothing(Str program);   // it starts none of its words on this machine: `echo`, `grep`, `docker`
bool shell_changes(Str program);        // files that have to be there: `sed`, `chmod`
bool shell_looks(Str program);          // it tells what the node has: `test`, `command -v`
