// The commands of a launcher, taken apart into their words: a list is one, and a script may have several.
#pragma once

#include "compiler/plan/model/launcher.h"
#include "compiler/plan/rules/rules.h"
#include "compiler/script/shell_commands.h"

typedef struct {
    const Rules *rules;
    const Subject *subject;
    const CommandWords *list;
    const CommandWord *script; // that has the command; NULL: the list is the command
    const ShellWords *shell;   // then
    uint32_t count;
} LauncherWords;

Str launcher_word_at(const LauncherWords *words, uint32_t i);

// The place of a part of the word; of a script `part` is a slice of it.
Span launcher_word_span(const LauncherWords *words, uint32_t i, Str part);

// The first word that names the program, perhaps by a path; the count of the words where none does.
uint32_t launcher_word_of(const LauncherWords *words, PlanProgram program);

// Of words.c: whether each word reaches the launcher.
void launcher_check_words(const LauncherWords *words);
void launcher_check_cut(const LauncherWords *words, const LauncherWords *before);
// Of mpirun_options.c.
void launcher_check_mpirun(const LauncherWords *words);
// Of program_options.c.
void launcher_check_programs(const LauncherWords *words);
// Of ports.c.
void launcher_check_ports(const Rules *rules, const Subject *subject, const PlanLauncher *launcher);
