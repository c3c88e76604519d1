// The commands of a script, each with its words: what a rule asks that looks for a program and its options.
#pragma once

#include "compiler/base/str.h"
#include "compiler/base/vec.h"

typedef VEC(Str) ShellWords;

// A simple command: `A=1 sudo -E apt-get install -y vim`.
typedef struct {
    ShellWords words; // slices of the script, without the quotes around all of one
    uint32_t program; // the word that is started in the end: `apt-get`; the count of the words where there is none
    bool is_fed;      // it reads what another command writes, or a file or a text of the script
} ShellSimple;

typedef VEC(ShellSimple) ShellCommands;

// All commands that the script has, in conditions, brackets, functions, `$(…)` and `bash -c` too: what a shell in it is given
// comes behind the command that starts that shell. False where the script is not understood, and there are none.
bool shell_commands(Arena *arena, Str script, ShellCommands *commands);

// Those of the script that a shell among the words of a command is given, where the command starts it somewhere else:
// `srun bash -c '…'`, `docker run IMAGE sh -c '…'`. None where there is no such shell.
bool shell_commands_given(Arena *arena, const ShellSimple *command, ShellCommands *commands);

// The place of a word in the script that it is a slice of.
size_t shell_word_place(Str script, Str word);
