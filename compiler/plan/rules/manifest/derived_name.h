// The longest name that a controller makes of the name of an object (schema/derived_names.def).
#pragma once

#include "compiler/plan/rules/rules.h"

// What the name is made of, beside the object's own.
typedef struct {
    Str part;         // in small letters; empty: nobody knows
    Span part_span;   // where its name stands
    int64_t parts;    // how many there are of it; below 1: nobody knows
    int64_t pods;     // of one Job, which have indexes; below 1: none, or nobody knows
    int64_t replicas; // of the object, each with pods of its own; below 1: none, or nobody knows
} DerivedOf;

// Reports the name at `span` if one that is made of it is too long. `type` is the object's: "batch/v1/Job". Only names
// whose every piece is known count. False where something was reported.
bool derived_name_check(const Rules *rules, const Subject *subject, const char *type, Str name, Span span,
                        const DerivedOf *of);
