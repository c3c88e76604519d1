// The commands of dtc: one row and one function for each.
#pragma once

#include "compiler/driver/command/options.h"

typedef struct Project Project;

typedef enum {
    STATUS_CLEAN = 0,
    STATUS_ERRORS = 1, // of the source; warnings too with --strict
    STATUS_USAGE = 2,
    STATUS_FILES = 3, // something could not be read or written
    STATUS_INTERNAL = 70,
} ExitStatus;

// One run of one command. What it says goes into the two buffers and is printed when it is done.
typedef struct {
    Session *session;
    Arena *arena; // the session's
    Options options;
    const Str *operands; // behind the command
    uint32_t operand_count;
    StrBuf out;        // standard output
    StrBuf err;        // standard error
    const char *build; // which build of dtc it is, as `dtc version` prints it
    bool is_text_out;  // `out` is a text that another program reads
    bool counts_codes; // a table by code ends a long text
} Run;

typedef ExitStatus Command(Run *run);

typedef struct {
    const char *name;
    const char *operands; // "FILE", as usage lines show it; "" for none
    uint32_t operands_min;
    uint32_t operands_max;
    unsigned options;    // bits: OPTION_BIT of each it takes beside --help
    const char *summary; // one line
    const char *text;    // paragraphs of `dtc help COMMAND`
    Command *run;
} CommandRow;

extern const CommandRow COMMAND_ROWS[];
extern const int COMMAND_ROW_COUNT;

const CommandRow *command_find(Str name); // NULL where there is none

// Reads the command line, runs the command, prints what it said. `arguments` are those of main() without the first.
// `build` is the version with its commit.
ExitStatus command_main(const char *build, int count, const char *const *arguments);

// Says `dtc: MESSAGE` and, below it, the hint (may be empty).
ExitStatus command_fail(Run *run, ExitStatus status, Str message, Str hint);

// STATUS_CLEAN where `--diff` goes with the other options, or is not there; else says what is wrong.
ExitStatus command_check_diff(Run *run);

// Prints the session's diagnostics in the form that was asked for, and what they mean for the exit status.
void command_print_diagnostics(Run *run);
ExitStatus command_status(const Run *run);

// Reads the files of `--schema`, for commands that build nothing. False where one has an error, which is then printed.
bool command_add_schema(Run *run);

// Reads the project file, if there is one, or the file of `--config`. False where it has an error, which is then printed.
bool command_find_project(Run *run, const Project **project);

// "2 findings silenced: 1 by .dtc.yaml, 1 by dtc-allow"; empty where nothing was silenced. The second leaves comments out.
Str command_silenced(const Run *run);
Str command_silenced_by_project(const Run *run);

// What each code counts as in a file, by the project file and the command line: one for each DiagId, in the arena of
// the session.
const DiagLevel *command_levels(Session *session, const Options *options, const Project *project, Str path);

// The commands, by file: command_build.c, command_fmt.c, command_core.c, explain.c, command_instances.c, command_init.c, help.c.
Command command_build;
Command command_check;
Command command_lint;
Command command_fmt;
Command command_explain;
Command command_instances;
Command command_core;
Command command_init;
Command command_version;
Command command_help;

void help_overview(Run *run, StrBuf *out);
void help_command(Run *run, const CommandRow *row);
