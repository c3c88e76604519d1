// Files that `dtc lint` was given together, and which of them belong to each other.
#pragma once

#include "compiler/driver/command/command.h"
#include "compiler/readers/foreign.h"

// A file that was checked.
typedef struct {
    Str path;
    ForeignFile file;
    const DiagLevel *levels;
} LintedFile;

typedef VEC(LintedFile) LintedFiles;

// Holds the manifests among the files against the clusters. Those of one folder belong together. Where `are_named`, as the
// command line names each of them, so do those of the folders above and below: pre-commit names what changed, wherever
// it stands.
void lint_together(Session *session, const LintedFiles *files, bool are_named);
