// The first job of a group: its nodes measure each other with dtc-collective before they train anything. Says where the
// program is fetched from, and how it is called.
#pragma once

#include "emitters/node/preflight_script.h"
#include "stdlib/node/contract.h"

typedef struct {
    NodeProgram program;
    Str file; // that the build writes: "lab.dtc-collective.x86_64-0123456789ab"
    Str url;  // where nodes fetch it
} FirstJob;

// Whether the nodes of a group measure each other in one.
bool first_job_is_wanted(const PlanNodes *nodes);

// The first job of a group that wants one, in a cluster with `artifacts`. It is in the session's arena.
FirstJob first_job(Session *session, Output *output, const PlanNodes *nodes);

// The label by which jobs find the group's nodes on EKS; its value, "train-gpu", is in `arena`. Groups have it on which
// a job of the source runs, or the first one.
bool first_job_label_is_wanted(const PlanNodes *nodes);
#define FIRST_JOB_LABEL NODE_PREFIX "nodes"
Str first_job_label(Arena *arena, const PlanNodes *nodes);

// The script that measures the accelerators of the nodes, stdlib/job/accelerators.sh as it travels; empty if none is
// wanted.
Str first_job_accelerators(Arena *arena, const PlanNodes *nodes);

// Options of `dtc-collective run`, up to `*count` words of FIRST_JOB_WORDS_MAX.
enum { FIRST_JOB_WORDS_MAX = 6 };
void first_job_options(Arena *arena, const PlanNodes *nodes, Str *words, int *count);
