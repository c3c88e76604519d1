// Reads the words of a script of a shell: quotes, what `$` expands, redirections and here-documents. shell_text.c reads the
// commands that they are of.
#pragma once

#include "compiler/base/str.h"
#include "compiler/base/vec.h"
#include "compiler/script/shell_commands.h"
#include "compiler/script/shell_scan.h"
#include "compiler/script/shell_text.h"

enum { SHELL_DEPTH_MAX = 60, SHELL_HEREDOCS_MAX = 8 };

// Blank in this part and in those behind it.
typedef struct {
    size_t start;
    size_t end;
    ShellPart from;
} ShellBlank;

// What counts only where something starts it by its name: the body of a function, the text of a file.
typedef struct {
    Str name;
    size_t start;
    size_t end;
    bool is_file;
    bool is_called;
    bool is_surely_called;
} ShellNamed;

// A program that is started, or a script that a shell is given.
typedef struct {
    Str name;
    size_t at;
    bool is_guarded;
    bool is_look; // `apt-get --version`
} ShellCall;

// `NAME=VALUE`
typedef struct {
    Str name;
    Str value; // as it is written
} ShellSetting;

typedef struct {
    Str word;
    bool is_tabbed;
    bool is_script; // a shell reads it
    bool is_piped;  // another program does
    Str file;       // that it is written into; empty where there is none
} ShellHeredoc;

typedef struct {
    size_t start;
    size_t end;
} ShellRange;

typedef VEC(ShellRange) ShellRanges;

// What `$(…)` runs in a word that is read again as a script, and in the words around it. It is not read again: each one
// in another would double the time.
typedef struct ShellHoles {
    const ShellRanges *ranges; // by their places
    const struct ShellHoles *outer;
} ShellHoles;

typedef struct {
    Arena *arena;
    Str text;
    size_t at;
    size_t end;
    VEC(ShellBlank) blanks;
    VEC(ShellNamed) named;
    VEC(ShellCall) calls;
    VEC(ShellSetting) settings;
    ShellCommands *commands;                   // that are wanted; NULL: none
    ShellHeredoc heredocs[SHELL_HEREDOCS_MAX]; // whose texts begin on the next line
    int heredoc_count;
    const ShellHoles *holes; // that were read before
    int depth;
    Str sought;      // a program: conditions that do not ask for it count as asides; empty: all are guards
    size_t pipeline; // where the commands begin whose output a test may read
    int guards;      // conditions around the place
    int asides;      // those that ask for something else than the program that is sought
    int deaths;      // those that never hold
    int hopes;       // commands around the place that may fail, but are there to succeed: `mount /a && …`
    int pipes;       // commands around the place that read what another one writes
    int inner;       // functions, brackets and scripts around the place: `exit` ends no more than those
    bool is_lost;
    ShellOpen open; // the first that is never closed; all but a here-document make it lost
    Str opened_by;
    bool is_written; // the script makes the file that is sought itself
} ShellReader;

typedef struct {
    ShellRanges words;
    ShellRanges holes; // `$(…)`, which is run wherever it stands
    Str target;        // of `>`
    bool is_fed;       // by `<`
    int first_heredoc;
} ShellCommand;

char shell_here(const ShellReader *reader);
char shell_behind(const ShellReader *reader, size_t count);
bool shell_is_end(const ShellReader *reader);
bool shell_ends_word(char c);
bool shell_enter(ShellReader *reader);                           // one level deeper; false where that is too deep
void shell_lose(ShellReader *reader, ShellOpen open, size_t at); // in what is opened at `at`; SHELL_CLOSED: elsewhere
void shell_blank(ShellReader *reader, size_t start, size_t end, ShellPart from);

// Blanks the lines from `start` up to `end` that are a comment.
void shell_blank_comments(ShellReader *reader, size_t start, size_t end, ShellPart from);
Str shell_range(const ShellReader *reader, ShellRange range);
ShellRange shell_inside(const ShellReader *reader, ShellRange word); // without the quotes around all of it

ShellRange shell_read_word(ShellReader *reader, ShellCommand *command);
void shell_read_redirection(ShellReader *reader, ShellCommand *command); // at `<` or `>`
void shell_read_bracket(ShellReader *reader);                            // behind `(`
void shell_skip_arithmetic(ShellReader *reader);                         // at `((`
void shell_skip_blanks(ShellReader *reader);                             // between the words of a command
void shell_skip_between(ShellReader *reader);                            // between two commands

// Of shell_command.c. What of a command is run; its program, empty where there is none.
Str shell_judge(ShellReader *reader, const ShellCommand *command);
void shell_blank_words(ShellReader *reader, const ShellCommand *command, uint32_t from, uint32_t to, ShellPart part);
void shell_read_script(ShellReader *reader, ShellRange script); // that has a shell of its own

bool shell_asks_version(const ShellReader *reader, const ShellCommand *command); // `nodeadm --version`

// Of shell_condition.c. Whether a condition may ask for the program that is sought, or for the system.
bool shell_is_about(const ShellReader *reader, Str condition);
// Whether the word that names a program names this one, by a variable too.
bool shell_names(const ShellReader *reader, Str word, Str program);

// Of shell_text.c: commands up to what ends them.
void shell_read_commands(ShellReader *reader);
bool shell_read_all(ShellReader *reader); // false where the script is not understood, or too long
