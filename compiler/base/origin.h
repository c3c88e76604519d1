// Origins: where a value comes from. An origin is a small tree. If a value is made of two others, its origin holds
// those of both.
#pragma once

#include "compiler/base/source.h"

typedef enum {
    ORIGIN_SPAN,     // text of a source: the narrowest that decides the value
    ORIGIN_SCHEMA,   // a row of the schema: `name` is "p4d.24xlarge" or "nodes.efa_layout"
    ORIGIN_CONSTANT, // a named constant of the emitter: `name` is "batch.imds", `text` says why
    ORIGIN_INPUT,    // a value given on the command line or in a params file: `name` is the param's
    ORIGIN_JOIN,     // both `left` and `right`
} OriginKind;

typedef struct Origin {
    OriginKind kind;
    Span span; // ORIGIN_SPAN; also ORIGIN_INPUT where a params file holds the value
    union {
        struct {
            const char *name;
            const char *text;
        };
        struct { // ORIGIN_JOIN
            const struct Origin *left;
            const struct Origin *right;
        };
    };
} Origin;

const Origin *origin_span(Arena *arena, Span span);
const Origin *origin_schema(Arena *arena, const char *name);

// NULL is "no origin" on either side; equal ones are not joined twice.
const Origin *origin_join(Arena *arena, const Origin *left, const Origin *right);

// The first span of the tree, left before right; SPAN_NONE where there is none. For diagnostics.
Span origin_first_span(const Origin *origin);
