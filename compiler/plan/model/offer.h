// A group of nodes in a file that somebody else wrote, as the pods of files beside it see it.
#pragma once

#include "compiler/plan/model/launch.h"

typedef struct {
    Str name;
    Str cluster; // as its file calls it
    Span span;
    PlanTypes types;
    bool has_other_types; // which are not known
    PlanField most;       // nodes
    const Value *labels;  // NULL: none but those that each node has
    const Value *taints;  // NULL: none
} PlanOffer;
