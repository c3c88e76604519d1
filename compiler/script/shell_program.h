// Programs of a shell, by what they do with their words.
#pragma once

#include "compiler/base/str.h"

bool shell_is_shell(Str program);       // `bash`, `/bin/sh`
bool shell_is_any(Str program);         // those, and shells with a grammar of their own: `fish`
bool shell_starts_another(Str program); // its words are a command: `sudo`, `env`
bool shell_only_says(Str program);      // it prints its words: `echo`
bool shell_runs_nothing(Str program);   // it starts none of its words on this machine: `echo`, `grep`, `docker`
bool shell_makes_files(Str program);    // of its words: `cp`, `curl -o`
bool shell_looks(Str program);          // it tells what the node has: `test`, `command -v`

// How many words behind an option are its value: 1 of `-u` of sudo.
uint32_t shell_option_words(Str program, Str option);

// What a word of a command is to the shell before it.
typedef enum {
    SHELL_WORD_OTHER, // no shell stands before it, or that has its script already
    SHELL_WORD_OPTION,
    SHELL_WORD_FILE,   // `train.sh` of `bash -e train.sh`
    SHELL_WORD_SCRIPT, // of `bash -c SCRIPT`
} ShellWordIs;

// What the words of a command have said so far: nothing at first.
typedef struct {
    bool is_of_shell;
    bool has_script; // behind the options
    uint32_t values; // that an option takes
} ShellArguments;

ShellWordIs shell_argument(ShellArguments *arguments, Str word); // of the words in their order

// How many words a program takes for itself before the command that it starts: 1 of timeout.
uint32_t shell_own_words(Str program);
