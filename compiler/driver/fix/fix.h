// `check --fix` and `lint --fix`: applies the fixes of diagnostics to the author's files, except those that make something worse.
#pragma once

#include "compiler/driver/chain.h"

enum {
    FIX_CHECKS_MAX = 200, // of the whole program, each some milliseconds: a person's file needs two or three
    FIX_BYTES_MAX = 400 * 1024 * 1024, // that all checks take together: what takes long takes memory, or is long
    FIX_BYTES_PER_BYTE = 64,           // of a source
    FIX_STEPS_MAX = 100 * 1000 * 1000, // or steps (Session.step_count)
    FIX_EDITS_MAX = 10000,             // made at once; tabs come in thousands
};

// A file of the author that was read.
typedef struct {
    Str path;
    Str original; // both without the byte order mark
    Str text;     // with all fixes
    bool has_mark;
} FixedFile;

// A fix that was applied. The edits of one diagnostic in one line are shown as one; `more_count` are in other lines.
typedef struct {
    const char *code;
    Str path;
    uint32_t start; // of what was replaced: in the text as it is with all fixes
    Str before;
    Str after;
    uint32_t more_count;
} AppliedFix;

// One that was not: its diagnostic is still there.
typedef struct {
    DiagId id;
    Str path;
    uint32_t start; // of the diagnostic
    uint32_t end;
    Str reason;
} RefusedFix;

typedef struct {
    VEC(FixedFile) files;
    VEC(AppliedFix) applied; // in order of application
    VEC(RefusedFix) refused;
    int check_count;
    bool is_unsettled; // as many checks as may be made, and still fixes to try
    bool is_too_much;  // more messages than are kept: a new one could not be told from them, and nothing more is fixed
} Fixes;

// One check of what is to be fixed, into a fresh session.
typedef struct {
    void (*run)(Session *session, const void *argument);
    const void *argument;
    bool is_strict; // warnings count as errors
} FixCheck;

// Checks once, applies what fixes there are, in memory, and checks again, until there is none left
// that is wanted. A fix is kept if its diagnostic is gone afterwards and no new error came up. An error that the
// mistake had hidden is not new: one of a later pass, or in the same block. Fixes that clash wait for the next check;
// those of one diagnostic go together. Sources come from the session's overlay where it has them. Everything lives in
// the session's arena, and nothing is reported there.
Fixes *fixes_find_with(Session *session, const FixCheck *check);

// The same for the program of a request.
Fixes *fixes_find(Session *session, const BuildRequest *request);

// Makes sources of a session be loaded as the fixes leave them.
void fixes_lay_over(Session *session, const Fixes *fixes);

// Says on each diagnostic of a session that has a fix why it was not applied, and where the checks did not suffice.
void fixes_explain(Session *session, const Fixes *fixes);

// Writes the files that changed; all or none. What goes wrong is reported (cannot_write, interrupted), and so is a file
// that was changed since it was read.
void fixes_write(Session *session, const Fixes *fixes);

// "infra.dt:11:16: DT0304: `8` -> `all`", one line for each; and a unified diff of all files.
Str fixes_print(Session *session, const Fixes *fixes);
Str fixes_diff(Arena *arena, const Fixes *fixes);

// A line for standard error where a file has too many messages; else empty.
Str fixes_left(Arena *arena, const Fixes *fixes);
