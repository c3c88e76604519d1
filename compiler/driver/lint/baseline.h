// A baseline: the findings of a project that somebody accepted, so that new ones stand out. It is a table in a file of
// the project, which `--write-baseline` writes.
#pragma once

#include "compiler/base/session.h"
#include "compiler/base/file_walk.h"

typedef struct Baseline Baseline;

// What a run looked at. What it did not look at is neither new nor stale.
typedef struct {
    const FilePaths *paths;
    const DiagLevel *levels; // of each DiagId, by the command line
} BaselineScope;

// Reads the table of a text. `*bad_line` is the number of the first line that is no row of it and is left out; 0: there is
// none. `path` is that of the file: rows name files as seen from its folder.
Baseline *baseline_read(Session *session, Str path, Str text, uint32_t *bad_line);

// Whether the text begins as a baseline does, or is empty: another file is not written over.
bool baseline_is_one(Str text);

// One without rows, for a file that is about to be written.
Baseline *baseline_empty(Session *session, Str path);

// Hides each finding that has a row, and returns how many. Only judgements of files can have one.
uint32_t baseline_apply(Session *session, Baseline *baseline);

// Behind baseline_apply(): the rows that no finding has, one a line as people read it, and how many there are. Empty where
// there is none.
Str baseline_stale(Session *session, const Baseline *baseline, const BaselineScope *scope, uint32_t *count);

// The table of all findings that can have a row, and of the rows of `old` that the run did not look at. `*count` is how
// many findings it accepts. The same findings give the same bytes.
Str baseline_text(Session *session, const Baseline *old, const BaselineScope *scope, uint32_t *count);
