// What every block that makes a file has, and the names of the Plan's parts, which point at each other.
#pragma once

#include "compiler/plan/model/part.h"
#include "compiler/semantics/subject.h"

typedef struct PlanNetwork PlanNetwork;
typedef struct PlanCluster PlanCluster;
typedef struct PlanNodes PlanNodes;
typedef struct PlanImage PlanImage;
typedef struct PlanBucket PlanBucket;
typedef struct PlanJob PlanJob;
typedef struct PlanStorage PlanStorage;

// What every block that makes a file has.
typedef struct {
    const Subject *subject; // what findings are about
    const PlanPart *part;
    const Block *block;   // of the builder alone
    Str id;               // the block's name: file names and logical ids are made from it
    const Value *name;    // what it is called where it is deployed; a known string
    Str doc;              // its `##` lines; may be empty
    const Origin *origin; // of the block's being there: its name
} PlanHead;
