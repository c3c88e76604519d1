// Values of the language as nodes of a template. Known values stand as they are. Late values become CloudFormation's
// intrinsics.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// The node of any value. NULL if there is none or it is null: the property is left out. A late optional that is not
// given becomes AWS::NoValue. A value that no property can hold (a quantity, a block) is reported, and gives an empty
// text.
DocNode *template_value(Stack *stack, const Value *value);

// The node of a value under a condition that excludes null. An optional param is a plain Ref there.
DocNode *template_given_value(Stack *stack, const Value *value);

// A value as one text. A list is joined with commas. NULL if the value is null.
DocNode *template_text(Stack *stack, const Value *value);

// A value as a list. A list gives its items, and the items of lists inside it. A late list stays as it is. Any other
// value gives a list of one item. NULL if the value is null.
DocNode *template_list(Stack *stack, const Value *value);

// "AWS::Region", as Ref and Sub spell it.
Str template_pseudo(const Late *late);

// The logical id of an author's own resource.
Str template_resource_id(const Stack *stack, const Resource *resource);
