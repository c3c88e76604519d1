// Programs of a shell, by what they do with their words.
#pragma once

#include "compiler/base/str.h"

bool shell_is_shell(Str program);       // `bash`, `/bin/sh`
bool shell_starts_another(Str program); // its words are a command: `sudo`, `env`
bool shell_only_says(Str program);      // it prints its words: `echo`
bool shell_runs_nothing(Str program);   // it starts none of its words on this machine: `echo`, `grep`, `docker`
bool shell_makes_files(Str program);    // of its words: `cp`, `curl -o`
bool shell_looks(Str program);          // it tells what the node has: `test`, `command -v`

// How many words behind an option are its value: 1 of `-u` of sudo.
uint32_t shell_option_words(Str program, Str option);

// How many words a program takes for itself before the command that it starts: 1 of timeout.
uint32_t shell_own_words(Str program);
