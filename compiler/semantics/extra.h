// What an author adds to a block in the words of the output: raw resources, outputs and patches.
#pragma once

#include "compiler/semantics/value.h"

// A raw `resource`.
struct Resource {
    Str type; // "AWS::S3::Bucket"
    Span type_span;
    Str name;
    Span span;
    Span whole;              // from its type to its end
    bool is_request;         // of the AWS CLI, in the words of the type
    bool is_part;            // of a request: an option of a command has its other parts
    const Block *block;      // the enclosing one
    const Origin *origin;    // of its being there
    const struct Item *item; // of the semantics layer alone, as the next
    const struct Env *env;
    const ValueEntry *properties;
    uint32_t property_count;
};

typedef VEC(const Resource *) Resources;

// What is written for a property of a raw resource; NULL where nothing is.
const Value *resource_property(const Resource *resource, const char *name);

typedef struct {
    Str name;
    Span span;
    const Value *value;
} BlockOutput;

typedef VEC(BlockOutput) BlockOutputs;

// One path of a `patch`.
typedef struct {
    Str file; // suffix, or empty
    Span file_span;
    Str path;
    Span path_span;
    const Value *value; // VALUE_NULL removes
} BlockPatch;

typedef VEC(BlockPatch) BlockPatches;
