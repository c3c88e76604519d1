// What the templates of one run export. It outlives the files: it holds copies of all texts.
#pragma once

#include "compiler/base/session.h"
#include "compiler/base/str_map.h"
#include "compiler/plan/model/plan_template.h"

enum {
    EXPORTS_MAX = 5000,   // of one run; those behind are not looked at
    SHARED_NAME_MAX = 255 // bytes: CloudFormation takes no longer name
};

typedef struct SharedExport {
    Str name; // with HOLE for what the deployment decides
    Str written;
    Str kind;       // what it is (resource_types.h); empty: not known
    Str path;       // of the file
    uint32_t start; // where it stands there
    uint32_t end;
    struct SharedExport *next; // of the same name; NULL: the last one
} SharedExport;

// A name, with its exports in the order of their files.
typedef struct {
    Str written; // without its holes
    SharedExport *first;
    SharedExport *last;
} ExportedName;

// Where an export stands in its file, which may have to be read again; SPAN_NONE where that is not possible.
typedef Span FindExport(Session *session, const SharedExport *export);

typedef struct {
    Arena *arena;
    FindExport *find;          // NULL: nobody can
    uint32_t count;            // of exports
    VEC(ExportedName *) names; // in the order in which they came
    StrMap by_name;            // the same
} PlanExports;

// The exports of a name; NULL where it has none.
const SharedExport *plan_exports_of(const PlanExports *exports, Str name);

// What is written of a name: all but its holes.
Str plan_exports_written(Arena *arena, Str name);

// Adds those of a template.
void plan_exports_add(PlanExports *exports, const Session *session, const PlanTemplate *template);
