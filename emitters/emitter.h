// An emitter: one function from a Plan to the files of one target.
#pragma once

#include "compiler/plan/model/plan.h"
#include "emitters/doc/doc.h"

typedef struct Cores Cores; // emitters/node/preflight_script.h

typedef enum { FORMAT_YAML, FORMAT_JSON } OutputFormat;

// Where the source refers to what a stack makes.
typedef struct {
    Str stack;
    Span at;
} StackReference;

// A step of plan.json: how a file is applied and taken away again, or what else has to be done by hand.
typedef struct {
    Str file;                       // "lab.cfn.yaml"; empty: it applies none
    Str kind;                       // "cloudformation", "secret"
    Str name;                       // of the stack or cluster, as it is deployed; of the secret; of the job
    Str key;                        // by which `follows` means it, where names of stacks could be the same; or empty
    Str region;                     // where; empty: the deployment decides
    Str apply;                      // the command, ready to paste
    Str remove;                     // the command that undoes it; empty where there is none
    VEC(Str) needs;                 // names of stacks whose exports it imports, or that are to be there
    VEC(Str) follows;               // keys of steps that come first; those that are not there are done
    VEC(StackReference) references; // why it needs some of them
    VEC(Str) provides;              // exports
    VEC(Str) parameters;            // template parameters without a default, to be given at deployment
    int wave;                       // 0 for what needs nothing of this build, else one more than what it needs
    bool is_waiting;                // its file waits for facts
    bool must_wait;                 // what it needs is in such a file, or has to wait itself
} DeploymentStep;

// Something that only a deployed stack, or whoever deploys, can tell.
typedef struct {
    Str stack;  // empty: `name` is a late param
    Str name;   // what the stack exports, behind its own name and "-"; of another tool's stack, an output's key
    Str region; // that the stack is in; empty: the deployment decides
} MissingFact;

typedef VEC(MissingFact) MissingFacts;

typedef struct {
    Str name; // relative to the output directory
    Str content;
    Str map; // source map, or empty where none was asked for
    DeploymentStep step;
    MissingFacts missing; // not empty: the file waits for them, and has no content
} Artifact;

typedef VEC(Artifact) Artifacts;

// What an `allow` of the source silences, and a file shows as well.
typedef struct {
    Str file; // that has a comment `dtc-allow` on top
    Str code;
    Str reason; // on one line
} OutputAllow;

typedef VEC(OutputAllow) OutputAllows;

typedef struct {
    OutputFormat format;
    bool wants_map;
    OutputAllows allows; // known before; JSON has no comments
    Artifacts artifacts;
    size_t bytes;              // of all contents
    bool is_full;              // they are too many, which is reported
    VEC(DeploymentStep) steps; // that apply no file; those that do are in the artifacts
    PlanDecisions decisions;   // what can only be said of finished files, beside the plan's
    Str core_directory;        // of builds of the node's check that go before dtc's own; empty: none
    Cores *cores;              // what was read of them so far; NULL at first
    const PlanQuotas *quotas;  // what it needs of the account; NULL: nothing is known
} Output;

// One target. Each adds an artifact for each file it writes and reports what its target cannot
// take (DT05xx).
typedef void Emit(Session *session, const Plan *plan, Output *output);

// What the second step of a cluster on EKS is called, behind the one by which eksctl makes it: its nodes. The stack of
// groups with a launch template of ours has this name, and the file that gives these to eksctl.
const PlanHead *emitter_nodes_head(Session *session, const PlanCluster *cluster);

// Outputs of that stack for a managed group, behind the group's name: the template's id and its newest version.
#define OUTPUT_LAUNCH_TEMPLATE "LaunchTemplate"
#define OUTPUT_LAUNCH_TEMPLATE_VERSION "LaunchTemplateVersion"

// What comes before a cluster of ParallelCluster, which takes policies by their ARNs: the stack of what its nodes may read
// and write. The output of a group stands behind the group's name.
const PlanHead *emitter_access_head(Session *session, const PlanCluster *cluster);

#define OUTPUT_ACCESS_POLICY "AccessPolicy"

// The comment on top of a file: "Written by dtc from infra.dt. …". One line, whatever the name of the main file.
Str emitter_header(Arena *arena, const Session *session, const Plan *plan);

// The same of a file that `dtc lint` reads, with what is allowed in it.
Str emitter_header_with(Arena *arena, const Session *session, const Plan *plan, const Output *output, Str file);

enum {
    OUTPUT_TOTAL_BYTES_MAX = 48 * 1024 * 1024, // of all files of a build: they are held until nothing is wrong
    OUTPUT_FILES_MAX = 10000,                  // each is made, renamed and, in a rebuild, read
};

// Whether a step names another one among its needs.
bool emitter_needs(const DeploymentStep *step, Str name);

// All artifacts come in by this.
void emitter_add(Session *session, Output *output, Artifact artifact);

// Whether no more may be written; reported at the block that is next.
bool emitter_is_full(Session *session, Output *output, const Subject *next);

// Runs every emitter and puts the steps into waves.
void emit_all(Session *session, const Plan *plan, Output *output);
