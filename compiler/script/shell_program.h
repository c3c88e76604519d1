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

bool shell_is_setting(Str word); // `NAME=VALUE` or `NAME+=VALUE`, which is no program

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

// The word that is started in the end, behind what is set for it and programs that start another, with their options and
// the words that they take for themselves: `train` of `A=1 timeout -k 5 60 train`. The count of the words where there is
// none. The words may be of any list.
typedef Str ShellWordAt(const void *words, uint32_t i);
uint32_t shell_started(ShellWordAt *word_at, const void *words, uint32_t count);
