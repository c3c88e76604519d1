// What a NodePool of Karpenter requires of its nodes, and the instance types that meet it.
// Source: pkg/scheduling/requirement.go of kubernetes-sigs/karpenter@22664681, 2026-08-20, read 2026-11.
#pragma once

#include "compiler/base/session.h"
#include "compiler/plan/model/type_labels.h"
#include "compiler/semantics/value.h"

enum { POOL_REQUIREMENTS_MAX = 100 }; // as many as a NodePool takes: karpenter.sh_nodepools.yaml, the same commit

typedef enum {
    RELATION_IN,
    RELATION_NOT_IN,
    RELATION_EXISTS,
    RELATION_DOES_NOT_EXIST,
    RELATION_GT,
    RELATION_GTE,
    RELATION_LT,
    RELATION_LTE,
} Relation;

typedef struct {
    const TypeLabel *label;
    const Value *item;
    Str key;
    Relation relation;
    const Value *values; // NULL without
    int64_t bound;       // of the last four operators
} Requirement;

// A label that a type lacks meets no requirement but those of absence.
bool requirement_is_met(const Requirement *requirement, const InstanceRow *row);

// Whether a type has the value for a label, or may have it: a label that says nothing of types, or a value that nobody knows.
bool type_may_have(const InstanceRow *row, Str key, Str value);

// Whether a type meets a term of `nodeSelectorTerms`, whose expressions are written like requirements. What says nothing of
// types, or names some that nobody knows, counts as met.
bool type_may_meet(Session *session, const InstanceRow *row, const Value *term);
bool type_may_meet_expression(Session *session, const InstanceRow *row, const Value *expression); // one of them

// "Gt 8", "In a, b"
Str requirement_print(Arena *arena, const Requirement *requirement);

typedef struct {
    Session *session;
    Requirement requirements[POOL_REQUIREMENTS_MAX]; // on types: those of a lower kind first
    uint32_t count;
    bool is_of_names;         // whether types or families are named
    bool are_known;           // whether each of these is in the rows, which may be older; else there are no types here
    const InstanceRow **rows; // that meet the requirements so far: all at first
    uint32_t row_count;
} PoolTypes;

// Of the `requirements` of a NodePool.
PoolTypes *pool_types_of(Session *session, const Value *requirements);

// Leaves the types that meet all. The first requirement that no type before it meets; NULL: there is none.
const Requirement *pool_types_narrow(PoolTypes *pool);

// The type that has the least of a resource; NULL: there is none, or nobody knows what one of them has.
const InstanceRow *pool_types_least(const PoolTypes *pool, const char *name, double *least);

// Where the file says that the type is one of the pool; SPAN_NONE: nowhere.
Span pool_types_place(const PoolTypes *pool, const InstanceRow *row);

// What any requirement says of a label, of the types or not; `requirements` may be NULL. Whether they let a node have the
// value; the first of them that names the label, or NULL; its values where it is an `In`, or NULL; and where it stands, or
// SPAN_NONE.
bool requirements_allow(const Value *requirements, Str key, Str wanted);
const Value *requirements_on(const Value *requirements, Str key);
const Value *requirements_in(const Value *requirements, Str key);
Span requirements_place(const Value *requirements, Str key);
