// Reads files that dtc did not write, and lifts them into a Plan, over which the rules run.
#pragma once

#include "compiler/base/session.h"
#include "compiler/plan/model/plan.h"

// What a file is. The content decides, or the caller.
typedef enum {
    FOREIGN_NONE, // none that dtc reads
    FOREIGN_CLOUDFORMATION,
    FOREIGN_PARALLELCLUSTER,
    FOREIGN_KUBERNETES,
    FOREIGN_EKSCTL,
    FOREIGN_AWS_CLI,    // JSON or YAML that it takes as a whole request
    FOREIGN_SLURM,      // a script for sbatch
    FOREIGN_SCRIPT,     // another script of a shell that launches
    FOREIGN_POLICY,     // of IAM, in a file of its own
    FOREIGN_DOCKERFILE, // that its name says it is
    FOREIGN_KIND_COUNT
} ForeignKind;

typedef struct {
    const char *word;  // "cloudformation", as `--kind` takes it
    const char *title; // "CloudFormation template"
    const char *mark;  // what each of them has, for people
} ForeignRow;

// By ForeignKind; that of FOREIGN_NONE is empty.
extern const ForeignRow FOREIGN_ROWS[FOREIGN_KIND_COUNT];

// Why a file was passed over.
typedef enum {
    SKIP_OTHER,    // it is of no kind that dtc reads
    SKIP_RENDERED, // Jinja or Helm makes one of it
    SKIP_PATCH,    // Kustomize changes objects by it
    SKIP_LARGE,    // nobody wrote it by hand
    SKIP_PART,     // it says itself that something is left out
    SKIP_SCRIPT,   // of a shell, and none that launches
    SKIP_COUNT
} ForeignSkip;

// How much of a file is wanted.
typedef enum {
    READ_ALL,
    READ_NAMES, // of a template what its text declares and exports, and none of its resources
} ForeignExtent;

typedef struct {
    ForeignExtent extent;
    ForeignKind kind; // FOREIGN_NONE: it was passed over, and nothing is reported
    ForeignSkip skip; // then: why
    // One way each in which what the file describes may come to be; a rule that finds the same thing in two says it
    // once.
    VEC(Plan *) plans;
    Plan *objects;                      // one of `plans`: all that manifests in the file have; NULL: there are none
    VEC(struct RawResource *) requests; // that the AWS CLI takes; others may be given beside them
    const Subject *subject;             // of the file; NULL where it could not be read
    uint32_t stacks;                    // templates that it nests, which nobody reads
    uint32_t modules;                   // likewise
} ForeignFile;

// Whether a text may be one of ours, by words that stand in those.
bool foreign_may_be(Str text);

// Reads a file. `forced` is what it has to be; FOREIGN_NONE: its content decides. One that is YAML no longer, and looks
// like one of ours, is reported, and so is one that is not what it has to be.
ForeignFile foreign_read(Session *session, uint32_t source, ForeignKind forced, ForeignExtent extent);
