// The words of a command that stands in a list, of which each may be the whole script of a shell, and what they say by
// names: options and variables.
#pragma once

#include "compiler/base/source.h"
#include "compiler/base/vec.h"
#include "compiler/script/shell_program.h"

typedef struct {
    Str text; // empty: not known
    Str run;  // the same without what a shell does not run, where it is the script of one; places stay the same
    Span span;
    ShellWordIs is;      // to the shell before it
    ShellArguments said; // up to it
} CommandWord;

typedef VEC(CommandWord) CommandWords;

// The next word; an empty text where nobody knows it.
void command_words_add(Arena *arena, CommandWords *words, Str text, Span span);

// A script that a shell runs: `run` is what of `text` is run, with blanks in place of the rest.
void command_words_add_script(Arena *arena, CommandWords *words, Str text, Str run, Span span);

// An option or a variable, and what stands behind it in the same word or as the next one: `--nnodes=2`, `-np 8`, `RANK=0`,
// and of `--mca NAME VALUE` both `--mca` and NAME.
typedef struct {
    Str name;  // as it is written, without `=`
    Str value; // without quotes, up to a blank outside of `$(…)`; a next word as a whole; empty: none
    uint32_t word;
    size_t at; // of the name, in the word
    uint32_t value_word;
    size_t value_at;
} CommandSetting;

typedef VEC(CommandSetting) CommandSettings;

// The end of `$(…)` or `` `…` `` that begins at a place, whatever blanks are in it; the place where none does, or it is open or
// very long.
size_t command_end_of_substitution(Str text, size_t start);

// All of them, of texts that are run, in their order. Names that a list of words has without `-` or `=` are none.
CommandSettings command_settings(Arena *arena, const CommandWords *words);

// Whether an option or a variable has this name: inside of an option `-` may be `_`.
bool command_is_called(const CommandSetting *setting, const char *name);

// The place of a part of a word, from `start` up to `end`, as the file has it; of a word that is written in another way, the
// whole of it.
Span command_part_place(const Session *session, const CommandWord *word, size_t start, size_t end);

// Likewise of a name, and of what stands behind it.
Span command_name_place(const Session *session, const CommandWords *words, const CommandSetting *setting);
Span command_value_place(const Session *session, const CommandWords *words, const CommandSetting *setting);

// The number at the start of a text, or the lower one of `2:4`; -1 where something else stands there.
int64_t command_number(Str text);

// The one number that scripts of a shell set a variable to, for the commands that follow; -1 where nobody knows one.
int64_t command_assigned(const CommandWords *words, Str name);

// Whether a script asks anything, so that it may do another thing in each place where it runs: by `if`, `case`, a loop with a
// condition, `test`, `[`, `((` or `||`. `$((…))` asks nothing.
bool command_asks(Str script);

// `NAME` of `$NAME`, `${NAME}`, `$(NAME)`, and `${!NAME}`, as Fn::Sub has `${NAME}`; empty of other texts.
Str command_variable(Str text);

// The name in `$(NAME)` that begins at a place, which Kubernetes fills in; empty where something else stands there.
Str command_bracketed(Str text, size_t at);

// Whether names of variables of a container have such a letter: A to Z, 0 to 9 and `_`.
static inline bool command_is_of_variable(char c) {
    return c == '_' || char_is_digit(c) || (c >= 'A' && c <= 'Z');
}
