// A file for a tool that takes no late values: ParallelCluster, eksctl, kubectl. Late values are looked up among the
// facts. If some are missing, the file is not written: it waits, and says for which facts.
#pragma once

#include "emitters/emitter.h"
#include "emitters/doc/tree.h"
#include "emitters/tool/releases.h"

typedef struct {
    Session *session;
    const Plan *plan;
    const PlanHead *head; // the block whose file it is
    const char *suffix;   // "pcluster"
    bool has_documents;   // the root's values are documents of their own
    Arena *arena;         // the document's: given back as a whole when the text is written
    Doc *doc;
    PlanParts parts;       // whose patches are applied, and of all in them
    PlanParts other_parts; // but of these: theirs are for another file
    MissingFacts missing;
    ReleaseTypes types;  // instance types that stand in a launch template that the file names
    DeploymentStep step; // in the session's arena, as the texts in it and the next one
    Str remove_by_name;  // in place of a `step.remove` that names the file, where it waits and is not there
} ToolFile;

// An empty document; its root is a map. `kind` is the step's.
ToolFile *tool_open(Session *session, const Plan *plan, const PlanHead *head, const char *suffix, const char *kind);

// Ends the file: patches, text, artifact. The plain file is gone afterwards.
void tool_write(ToolFile *file, Output *output);
