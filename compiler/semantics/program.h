// A program: all files of a build. They are parsed, every block is expanded, and every attribute has its value.
#pragma once

#include "compiler/semantics/extra.h"
#include "compiler/semantics/param.h"
#include "compiler/semantics/subject.h"
#include "compiler/syntax/ast.h"

typedef VEC(const Block *) Blocks;

struct Block {
    Subject subject;
    const KindRow *kind;
    Str name;             // "" for nested kinds without a label
    const Origin *origin; // of the name: the label, and the loop's and branch's values that made it
    Str doc;
    const Block *parent;
    struct Draft *draft; // of the semantics layer alone
    bool is_used;        // stands in a used file: not built
    bool is_named;       // something refers to it, or to another thing of its name
    TargetSet target;    // of a cluster; 0 else
    Span on_span;
    const Block *on; // of a job: its cluster; NULL else
    Blocks children;
    bool lacks_parts;         // of a cluster: a group, a job on it, or an object, is left out for a mistake
    uint32_t lacked_groups;   // of those, the groups
    bool lacks_extras;        // an output, a resource or a patch is, of it or of a part
    VEC(const KindRow *) off; // nested kinds that `NAME = off` takes away
    BlockOutputs outputs;
    Resources resources;
    BlockPatches patches;
};

typedef struct Program {
    Blocks blocks;       // file-level ones, of the main file first, in source order
    Params params;       // in order of declaration, the main file's first
    VEC(Str) files;      // every path read: source, uses, file()
    bool lacks_clusters; // one is left out for a mistake
    const File *main;
    struct Evaluator *evaluator; // of the semantics layer alone
} Program;

typedef struct {
    Str name;
    Str value;
} ParamArgument; // -p NAME=VALUE

typedef struct {
    const ParamArgument *arguments;
    int argument_count;
    const Str *param_files;
    int param_file_count;
} Inputs;

// The passes, in order; see driver/chain.c. What is wrong is reported, and each pass takes what the one before left.
Program *program_load(Session *session, Str path, const Inputs *inputs); // parses the file and all that it uses

// Like program_load(), for a text that is in no file. It can use the library, and cannot read other files.
Program *program_load_text(Session *session, Str path, Str text, const Inputs *inputs);

void program_resolve(Session *session, Program *program);  // every name means something
void program_evaluate(Session *session, Program *program); // blocks are expanded, values worked out
void program_check(Session *session, Program *program);    // values have their types

// Leaves out the blocks that have a mistake, and those that stand on them; every value of the others has the type that
// the schema promises. False where nobody can tell which blocks there are: a file could not be parsed, a limit was hit.
bool program_leave_out(Session *session, Program *program);

// Leaves out those in which a rule has found an error since, and those that lack something: what remains can be written
// as it would be if nothing were wrong. False where an error lies in no block, and no value is from there.
bool program_leave_out_judged(Session *session, Program *program);

// The value of an attribute; NULL where not given. `attribute` is the generated number (NODES_COUNT).
const Value *block_value(const Block *block, int attribute);

// A path of the project that stands in a value at `from`: relative to the file there, or to the main file if it is from
// elsewhere. Returns the path below the project root: "src/train.py"; "." is the root itself. `*opened` is the path as
// it is opened. What is not there, or is outside of the root, is reported, and the path is empty. A link at the end of the path is
// not followed.
Str program_project_path(const Program *program, Span from, Str path, Str *opened);
