// The words of a command, and what it tells the program that starts a job's processes, torchrun or mpirun.
#pragma once

#include "compiler/base/vec.h"
#include "compiler/plan/model/field.h"
#include "compiler/plan/rules/rules.h"
#include "compiler/script/shell_program.h"

// A word of a command, which may be a whole script.
typedef struct {
    Str text; // empty: not known
    Str run;  // the same without what a shell does not run, where it is the script of one
    Span span;
    ShellWordIs is;      // to the shell before it
    ShellArguments said; // up to it
} LaunchWord;

typedef VEC(LaunchWord) LaunchWords;

LaunchWords launch_words_of(Arena *arena, const Value *container); // its `command` and `args`
void launch_words_add_list(Arena *arena, LaunchWords *words, const Value *list);
void launch_words_add_fields(Arena *arena, LaunchWords *words, const PlanFields *list);

// The number that torchrun is told by an option such as `--nnodes`, by the first that has one, in the word `*at`: of a range
// the lower end. It may be that of a variable of the container, which may be NULL. -1 where nobody runs torchrun, or no
// number is known.
int64_t launch_number(Arena *arena, const Value *container, const LaunchWords *words, const char *option, uint32_t *at);

// The same whatever program the words run.
int64_t launch_value(Arena *arena, const Value *container, const LaunchWords *words, const char *option, uint32_t *at);

// The one number that a script of a shell sets a variable to, for the commands that follow; -1 where nobody knows one.
int64_t launch_assigned(const LaunchWords *words, Str name);

bool launch_runs_torch(const LaunchWords *words);

// Whether a word is the program, or the end of its path, or a script has it.
bool launch_runs(const LaunchWords *words, const char *program);

// The same of `--nnodes`: how many nodes torchrun waits for.
int64_t launch_nodes(Arena *arena, const Value *container, const LaunchWords *words, uint32_t *at);

// What stands behind the first such option that has a value, in the word `*at`: of `--master-addr` behind a blank or `=`, of
// `NAME=` at once. `-` may be `_`. Empty where there is none.
Str launch_option(const LaunchWords *words, const char *name, uint32_t *at);

// Whether only some pods may run what stands in a script.
bool launch_has_branches(const LaunchWords *words);

// `NAME` of `$NAME`, `${NAME}` and `$(NAME)`; empty of other texts.
Str launch_variable(Str text);

// The name in `$(NAME)` that begins at a place, which Kubernetes fills in; empty where something else stands there.
Str launch_bracketed(Str text, size_t at);

// Whether names of variables of a container have such a letter: A to Z, 0 to 9 and `_`.
static inline bool launch_is_of_variable(char c) {
    return c == '_' || char_is_digit(c) || (c >= 'A' && c <= 'Z');
}

// The entry of a variable in the `env` of a container, which may be NULL; NULL: there is none.
const Value *launch_env(const Value *container, Str name);

// How many processes mpirun starts, by `-np` behind the only mpirun that the words run; -1 where nobody knows.
// `*at` is the word that has the number.
int64_t launch_processes(const LaunchWords *words, uint32_t *at);

// The place of a number that is written behind an option, in its word or as the next one; SPAN_NONE where something else
// stands there.
Span launch_number_behind(const Session *session, Span option, int64_t number);

// The place of a text in a word, where that is written as it is; else of the whole word.
Span launch_place(const Session *session, const LaunchWord *word, const char *text);
