// Works out what a template's values are in one world, as far as a file can tell. What it cannot is kept as the
// intrinsic in its long form, `{ "Ref" = "Vpc" }`, which compiler/plan/raw/ reads as late.
#pragma once

#include "compiler/readers/cloudformation/cfn_template.h"
#include "compiler/semantics/value.h"

// A call of an intrinsic function.
typedef struct {
    Str name; // "Ref", "Condition", "Fn::Sub"
    Span name_span;
    const Data *argument;
} CfnCall;

// False where the value is none, which is a map of one entry with such a name.
bool cfn_call_of(const Data *data, CfnCall *intrinsic);

// Writes all short forms in a document as long ones: `!Sub text` as `{ "Fn::Sub": text }`. An unknown tag is one, too.
void cfn_lengthen(Arena *arena, Data *data);

// The value in a world, in the session's arena. Never NULL; VALUE_NULL is nothing, as AWS::NoValue is.
const Value *cfn_value(const CfnWorld *world, const Data *data);

// The text of a scalar; false where it is none, or not known.
bool cfn_text(const CfnWorld *world, const Data *data, Str *text);

// Calls `visit` for each entry of a map of a template, with what Fn::ForEach repeats; the loop's variables hold in
// `scope` while it runs, which cfn_value_in() takes.
typedef struct CfnScope CfnScope;
typedef void CfnVisit(void *context, const CfnScope *scope, Str key, Span key_span, const Data *value);
void cfn_each_entry(const CfnWorld *world, const Data *map, CfnVisit *visit, void *context);
const Value *cfn_value_in(const CfnScope *scope, const Data *data);
