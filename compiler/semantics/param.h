// Params: what the build or the deployment gives.
#pragma once

#include "compiler/semantics/value.h"

// An input of the build or of the deployment. Its item is of the semantics layer alone.
struct Param {
    Str name;
    Span span; // of the name
    const struct Item *item;
    const Type *type;
    bool is_late;
    bool is_optional;
    Str doc;
    const Value *initial; // NULL without
    const Value *value;   // what the build gave or the default; VALUE_LATE for a late param without a value
    bool is_given;        // by -p or a params file
    bool is_named;        // something refers to it, or to another thing of its name
};

typedef VEC(const Param *) Params;
