// An image, as the Plan has it.
#pragma once

#include "compiler/base/file_tree.h"
#include "compiler/plan/model/plan_head.h"
#include "schema/instance.h"

// What `files` names: a file or a folder of the project.
typedef struct {
    Str path; // below the project root
    bool is_folder;
} PlanCopied;

// How an image is built. One of `base` and `dockerfile` is given; the mistake of giving both, or none, is a rule's.
typedef struct {
    const Value *base; // known: string or dlc(string); NULL: none
    Str from;          // the image it is built on, with its registry; empty: `dockerfile` says it, or nothing is known
    const Value *dockerfile; // known string; NULL: dtc writes it
    const Value *env;        // map of known strings
    const Value *run;        // list of known strings
    const Value *command;    // list of known strings; NULL: the base's
    const Value *build_env;  // list of known strings
    bool has_no_entry;       // the base's entry point is taken away: it would take a command apart
    bool has_collective;     // dtc-collective is put into it
    VEC(PlanCopied) copied;
    TreeFiles files;              // all that is copied
    const Value *platform;        // the word, or the default
    Architecture architecture;    // that it is built for
    const PlanNodes *x86_64_user; // the first group that runs it, of each architecture; NULL: none
    const PlanNodes *arm64_user;
    Str sum; // SHA-256 of all that it is built from
} PlanRecipe;

// A container image that jobs run, and the repository that it is in.
struct PlanImage {
    PlanHead head;
    const PlanRecipe *recipe;      // NULL: somebody else builds it
    const Value *repository;       // known string
    const Value *tag;              // known string
    bool tag_is_sum;               // of what it is built from, so that the tag never means another image
    bool is_existing;              // the repository is there already
    const struct PlanImage *maker; // the first image of that repository, whose block makes it; itself, mostly
    const PlanCluster *owner;      // the cluster whose stack makes the repository; NULL: a stack of its own
    const PlanCluster *user;       // the first cluster with a job from the repository, where this is its maker
    bool has_users;                // more than that one
    const PlanCluster *elsewhere;  // one of them in another region than the first; NULL: none is known
    const Value *is_emptied;       // the repository and its images go with the stack: known bool; NULL: they stay
    const Value *is_scanned;       // known bool
    const Value *is_immutable;     // known bool
    const Value *expire_untagged;  // VALUE_DURATION; NULL: what has no tag stays
    const Value *keep_newest;      // VALUE_INT; NULL: all stay
    Str region;                    // of the repository; empty: the deployment decides
};
