// One build: runs the passes in order and writes the files at the end.
#pragma once

#include "compiler/driver/output/write.h"
#include "compiler/semantics/program.h"

typedef enum {
    BUILD_ALL,  // files are written where there is a directory
    BUILD_PLAN, // ends with the Plan and what the rules say of it
} BuildGoal;

typedef struct {
    BuildGoal goal;
    Str path; // of the main file
    Inputs inputs;
    const Str *schema_files; // more instance types
    int schema_file_count;
    const Str *fact_files; // what describe-stacks printed
    int fact_file_count;
    Str core_directory; // of builds of the node's check; empty: dtc's own
    bool is_complete;   // a file that waits for facts is an error
    OutputFormat format;
    bool wants_map;
    bool is_strict; // warnings keep files from being written, too
    Str directory;  // where the files go; empty: nothing is written
} BuildRequest;

typedef struct {
    const Plan *plan; // NULL where it did not get that far
    Output output;
    Written written; // empty where nothing was
} Build;

// All passes. What is wrong is in the session's diagnostics.
Build build(Session *session, const BuildRequest *request);
