// What the templates of one run export and import. It outlives the files: it holds copies of all texts.
#pragma once

#include "compiler/base/session.h"
#include "compiler/plan/model/plan_template.h"

enum {
    SHARED_MAX = 20000,   // names of one run; those behind are not looked at
    SHARED_NAME_MAX = 255 // bytes: CloudFormation takes no longer name
};

typedef struct {
    Str name; // with HOLE for what the deployment decides
    Str written;
    Str path; // of the file
    Str kind; // of an export: what it is; of an import: empty
    Str type; // of an import: of the resource that takes it; else empty
    Str outer;
    Str key;
    Span span;
} SharedName;

typedef struct {
    Arena *arena;
    VEC(Str) paths; // of the files that have any, in order
    VEC(SharedName) exports;
    VEC(SharedName) imports;
} PlanExports;

// Adds those of a template. What the file allows of the rules about them is left out, and counts as used.
void plan_exports_add(PlanExports *exports, const Session *session, const PlanTemplate *template);
