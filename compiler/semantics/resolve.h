// The pass that checks names, between its two files: expressions (resolve.c) and items (resolve_items.c).
#pragma once

#include "compiler/semantics/evaluator.h"

typedef struct {
    Evaluator *evaluator;
    Session *session;
    Module *module;
} Resolver;

// One level of nesting: a block, or the body of a `for`.
typedef struct Scope {
    const struct Scope *outer;
    const Item *block;   // NULL for a `for`, an `if` and the file
    const KindRow *kind; // of the nearest block; NULL at file level
    Str variable;        // of a `for`
    bool is_branch;      // inside `if` or `for` of the nearest block
} Scope;

void resolve_expr(Resolver *resolver, const Scope *scope, const Expr *expr, const Type *expected);
void resolve_note(Resolver *resolver, Str name); // that something refers to a thing of this name
void resolve_label(Resolver *resolver, const Scope *scope, const Module *module, const KindRow *kind,
                   const Expr *label);                // that something refers to KIND[label]
const KindRow *resolve_kind_with_attribute(Str name); // the first that has it, or NULL

// Whether the items of a block have this attribute where it cannot stand, or one that is unknown and near to it. Either
// was reported.
bool resolve_is_misspelt(Session *session, const KindRow *kind, const Items *items, const char *attribute);
