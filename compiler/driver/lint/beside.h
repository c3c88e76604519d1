// What the files of one run offer each other. Each file is linted in a session of its own, and only what stands here
// outlives it: paths, and copies of names. Where a rule needs more of another file, that is read again.
#pragma once

#include "compiler/plan/model/plan_exports.h"
#include "compiler/plan/rules/together.h"
#include "compiler/readers/foreign.h"

// The files of a folder that offer anything to those beside them.
typedef struct {
    Str path;         // ends in `/`
    bool makes_nodes; // as pods ask for them: nobody knows which nodes there will be
    MadeObjects made;
    VEC(Str) group_files;   // with groups of nodes
    VEC(Str) request_files; // with requests that the AWS CLI takes
    VEC(Str) place_files;   // with job definitions or queues of AWS Batch
    VEC(Str) cluster_files; // with a cluster of Slurm
} BesideFolder;

// Start from `(Beside){ .arena = …, .are_named = … }`.
typedef struct {
    Arena *arena;
    bool are_named; // the command line names each file, and no folder
    bool are_kept;  // in folders, where a kustomization.yaml may stand; a build judges what it has not written yet
    VEC(BesideFolder *) folders;
    StrMap by_path; // the same
    PlanExports exports;
} Beside;

// What a file can offer, by its text. Most can offer nothing, and are read once.
typedef enum {
    OFFERS_NOTHING,
    OFFERS_NAMES, // that it exports
    OFFERS_ALL,
} BesideOffer;

BesideOffer beside_offer_of(Str text);

// Adds what the file offers.
void beside_add(Beside *beside, const Session *session, Str path, const ForeignFile *file);

// Reports what is wrong with a file where others stand beside it. Those of one folder belong together. Where files are
// named, so do those of the folders above and below: pre-commit names what changed, wherever it stands.
void beside_check(Session *session, const Beside *beside, Str path, const ForeignFile *file);
