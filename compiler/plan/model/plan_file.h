// A file that somebody else wrote, as it stands there: what rules about its text ask for. What its values come to is in
// launches, containers and objects.
#pragma once

#include "compiler/base/data.h"
#include "compiler/base/vec.h"
#include "compiler/plan/model/plan_template.h"
#include "compiler/plan/model/policy.h"
#include "compiler/semantics/subject.h"

// Who reads the file.
typedef enum {
    FILE_TEMPLATE, // CloudFormation
    FILE_OTHER,    // a program that takes values as they are; another may have filled in `${NAME}` before
} PlanFileForm;

// A thing in the file: a resource of a template, a section, or an object of a manifest.
typedef struct {
    const Subject *subject; // what findings are about
    Str key;                // what it stands behind; empty: it is a document
    Str type;               // of a resource; empty: it is none
    const Data *data;
} PlanPiece;

typedef struct {
    PlanFileForm form;
    Str tool; // whose file it is: "cloudformation", "eksctl", as `--kind` takes it
    VEC(PlanPiece) pieces;
    const PlanTemplate *names; // of a template; NULL: it is none
    VEC(const PlanPolicy *) policies;
} PlanFile;
