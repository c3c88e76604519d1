// Reads attributes: the author's value, or the default with the schema's row as its origin.
#pragma once

#include "compiler/plan/declared/builder.h"

// A value that must be known at build time, because it decides the shape of the output. NULL if it is not given. A late
// value is reported, and is NULL too.
const Value *read_known(Builder *builder, const Block *block, int attribute);

// A value that may be late but must have a value at deployment. A late optional is reported. NULL if it is not given.
const Value *read_given(Builder *builder, const Block *block, int attribute);

const Value *read_int(Builder *builder, const Block *block, int attribute, int64_t otherwise);      // may be late
const Value *read_bool(Builder *builder, const Block *block, int attribute, bool otherwise);        // known
const Value *read_word(Builder *builder, const Block *block, int attribute, const char *otherwise); // known; as string
const Value *read_known_list(Builder *builder, const Block *block, int attribute); // every item known; empty without
const Value *read_map(Builder *builder, const Block *block, int attribute);

// The one block of a nested kind; NULL if there is none. read_is_off() tells whether `KIND = off` stands in its place.
const Block *read_child(const Block *block, int kind);
bool read_is_off(const Block *block, int kind);

// Whether the value of an attribute is written behind its `=`, and does not come from a `let` or a `param`. Only there
// a fix may put a word of the attribute's own type.
bool read_is_written_there(Builder *builder, const Block *block, int attribute);

// `value`, or `otherwise` where it is null.
const Value *plan_default(Builder *builder, const Value *value, const Value *otherwise);

const Origin *plan_schema_origin(Builder *builder, const Block *block, int attribute); // "nodes.imds_hop_limit"
