// Values of the language as nodes of a template: known ones as they are, late ones as the intrinsic that CloudFormation
// has for them.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Of any value. NULL where it is null: the property is left out. A late optional that was not given becomes
// AWS::NoValue. A value that no property can hold (a quantity, a block) is reported and gives an empty text.
DocNode *late_node(Stack *stack, const Value *value);

// Of a value that is not null, as a condition around it sees to: an optional param is its plain Ref.
DocNode *late_given_node(Stack *stack, const Value *value);

// As one text: a list joined with commas. NULL where it is null.
DocNode *late_text(Stack *stack, const Value *value);

// As a list: a list's items, one after the other, lists among them laid in; a late list as it is; of another value a
// list of one. NULL where it is null.
DocNode *late_list(Stack *stack, const Value *value);

// "AWS::Region", as Ref and Sub spell it.
Str late_pseudo(const Late *late);

// The logical id of an author's own resource.
Str late_resource_id(const Stack *stack, const Resource *resource);
