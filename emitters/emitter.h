// What an emitter is: one function from a Plan to the files of one target.
#pragma once

#include "compiler/plan/plan.h"
#include "emitters/doc.h"

typedef enum { FORMAT_YAML, FORMAT_JSON } OutputFormat;

// A step of plan.json: how a file is applied and taken away again, or what else has to be done by hand.
typedef struct {
    Str file;            // "lab.cfn.yaml"; empty: it applies none
    Str kind;            // "cloudformation", "secret"
    Str name;            // of the stack, as it is deployed; of the secret
    Str apply;           // the command, ready to paste
    Str remove;          // the command that undoes it; empty where there is none
    VEC(Str) needs;      // names of stacks whose exports it imports, or that are to be there
    VEC(Str) provides;   // exports
    VEC(Str) parameters; // template parameters without a default, to be given at deployment
    int wave;            // 0 for what needs nothing of this build, else one more than what it needs
} PlanStep;

typedef struct {
    Str name; // relative to the output directory
    Str content;
    Str map; // source map, or empty where none was asked for
    PlanStep step;
} Artifact;

typedef VEC(Artifact) Artifacts;

typedef struct {
    OutputFormat format;
    bool wants_map;
    Artifacts artifacts;
    VEC(PlanStep) steps; // that apply no file; those that do are in the artifacts
    VEC(PlanDecision) decisions; // what can only be said of finished files, beside the plan's
    const PlanQuotas *quotas;    // what it needs of the account; NULL: nothing is known
} Output;

// Emitters, in the order they run. Each adds an artifact for each file it writes and reports what its target cannot
// take (DT05xx).
typedef void Emit(Session *session, const Plan *plan, Output *output);

typedef struct {
    const char *name;
    Emit *emit;
} EmitterRow;

extern const EmitterRow EMITTER_ROWS[];
extern const int EMITTER_ROW_COUNT;
