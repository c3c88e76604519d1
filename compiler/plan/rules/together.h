// Rules about files that were given together: the pods of a manifest, and the groups of nodes in files beside it.
#pragma once

#include "compiler/base/str_map.h"
#include "compiler/plan/model/plan.h"

// An object that a manifest makes.
typedef struct {
    int kind;  // which of those that manifest/names_beside.c knows, or of the kinds below
    Str place; // its namespace, where that counts; else empty
    Str name;
    const struct MadeClass *class; // of volumes; NULL: it is none
} MadeObject;

// Those of some files. Start from made_objects().
typedef struct {
    Arena *arena;
    VEC(const MadeObject *) items;
    StrMap names;  // by kind, place and name
    StrMap places; // by kind and place, the first object there
} MadeObjects;

// Kinds beside those of objects with a name.
enum {
    MADE_CHANNEL = 1000, // a template that a ComputeDomain makes
    MADE_TEMPLATE,       // one that stands in a file itself
    MADE_CLAIMED,        // one that pods claim
    MADE_SHARING,        // a configuration by which each GPU is offered several times
    MADE_NODE_FLAVOR,    // of Kueue
    MADE_TOLERATION,     // a flavor that adds tolerations to pods
    MADE_ACCOUNT,        // a ServiceAccount, as `NAMESPACE:NAME`
    MADE_TRUST,          // likewise, that a role of this place lets take it; without a place: any role does
    MADE_TRUST_OPEN,     // a role of which nobody knows all accounts; `*`: one without a name
    MADE_CLASS,          // of volumes, from which a driver makes them
    MADE_CLASS_AGAIN,    // another one of that name
    MADE_SERVICE,
    MADE_SERVICE_OPEN, // one of which nobody knows the ports that matter
    MADE_SERVICE_PORT, // `NAME:PORT`
    MADE_HEADLESS,     // a Service without an address, and the labels that it selects by
};

// Adds what is made; nothing without a name.
void together_add(MadeObjects *made, int kind, Str place, Str name);

// The same of a class of volumes, which is copied.
void together_add_class(MadeObjects *made, Str name, const struct MadeClass *class);

// All that is known where a manifest stands.
typedef struct {
    VEC(const Plan *) plans;       // that groups of nodes are in, and its own
    VEC(const MadeObjects *) made; // by all files, those of its own first
    bool is_open;                  // nobody knows which nodes there will be
} FilesTogether;

// Of all files; without a name the first of its kind and place. NULL: there is none.
const MadeObject *together_find(Arena *arena, const FilesTogether *together, int kind, Str place, Str name);

// The same of those that one file makes.
const MadeObject *made_find(Arena *arena, const MadeObjects *made, int kind, Str place, Str name);

bool together_has_groups(const Plan *plan);  // of nodes
bool together_makes_nodes(const Plan *plan); // as pods ask for them

MadeObjects made_objects(Arena *arena);

// Adds the objects of the plan that others name, such as namespaces and queues. Their names are copied.
void together_add_made(MadeObjects *made, const Plan *plan);

// Adds the accounts that roles let take them, of the policies of a file and of eksctl.
void trusts_add_made(MadeObjects *made, const Plan *plan);

// Reports names of objects that are not among those that the files make.
void together_check_names(Session *session, const Plan *plan, const FilesTogether *together);

// The same, and reports what is wrong with the pods of `plan`, whose file is one of those that `together` are of. Says nothing where
// no file makes a group, or where nobody knows which nodes there will be.
void together_check(Session *session, const Plan *plan, const FilesTogether *together);
