// Facts: what deployed stacks say of themselves, as `aws cloudformation describe-stacks` prints it. Files for tools
// that take no late values need them.
#pragma once

#include "compiler/base/data.h"
#include "compiler/base/session.h"
#include "compiler/base/str_map.h"

// An output of a stack.
typedef struct {
    Str key;         // OutputKey
    Str export_name; // ExportName; empty where it is not exported
    Str value;
    Span span; // of the value
} FactOutput;

// A stack that is deployed.
typedef struct {
    Str name;
    Str id; // its ARN
    Str status;
    Span span;     // of the name in the file
    uint32_t file; // which of the facts files, from 0
    VEC(FactOutput) outputs;
} FactStack;

// A file of facts that was read.
typedef struct {
    Str path;
    Span span; // the list of stacks
} FactFile;

typedef struct {
    VEC(FactFile) files;
    VEC(FactStack *) stacks; // in the order of the files
    StrMap by_name;
} Facts;

enum { FACT_STACKS_MAX = 10000 }; // of all files together

// Reads one file and adds its stacks. What is no output of describe-stacks, and a stack that was there already, are
// reported at their places.
void facts_load(Session *session, Str path, Facts *facts);
void facts_read(Session *session, uint32_t source, Facts *facts); // the same of a source that is loaded

// NULL where no file has it. `facts` may be NULL.
const FactStack *facts_stack(const Facts *facts, Str name);

// Whether the stack has the outputs of its last good deployment: it neither failed nor is being changed.
bool facts_is_good(const FactStack *stack);

// The output that the stack exports as NAME-key, or that is called `key`; NULL without.
const FactOutput *facts_output(const FactStack *stack, Str key);
