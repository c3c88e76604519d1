// Rules about files that were given together: the pods of a manifest, and the groups of nodes in files beside it.
#pragma once

#include "compiler/base/str_map.h"
#include "compiler/plan/model/plan.h"

// An object that a manifest makes.
typedef struct {
    int kind;  // which of those that rules_together_names.c knows
    Str place; // its namespace, where that counts; else empty
    Str name;
} MadeObject;

// Those of some files. Start from made_objects().
typedef struct {
    Arena *arena;
    VEC(const MadeObject *) items;
    StrMap names;  // by kind, place and name
    StrMap places; // by kind and place, the first object there
} MadeObjects;

// All that is known where a manifest stands.
typedef struct {
    VEC(const Plan *) plans;       // that groups of nodes are in, and its own
    VEC(const MadeObjects *) made; // by all files, those of its own first
    bool is_open;                  // nobody knows which nodes there will be
} Together;

bool together_has_groups(const Plan *plan);  // of nodes
bool together_makes_nodes(const Plan *plan); // as pods ask for them

MadeObjects made_objects(Arena *arena);

// Adds the objects of the plan that others name, such as namespaces and queues. Their names are copied.
void together_add_made(MadeObjects *made, const Plan *plan);

// Reports names of objects that are not among those that the files make.
void together_check_names(Session *session, const Plan *plan, const Together *together);

// The same, and reports what is wrong with the pods of `plan`, whose file is one of those that `together` are of. Says nothing where
// no file makes a group, or where nobody knows which nodes there will be.
void together_check(Session *session, const Plan *plan, const Together *together);
