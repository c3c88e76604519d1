// Texts of literal pieces and late values. A text without a late value is written as a string, any other one as `!Sub`.
// An author's text gets into Fn::Sub only here, so `${` in it is escaped here. A known text with `${AWS::…}` is written
// as `!Sub` too. A plain string would mean the same, but readers and linters take it for a forgotten substitution.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Start from `(SubText){ .stack = stack }`.
typedef struct {
    Stack *stack;
    StrBuf plain;   // as it is, where nothing is late
    StrBuf sub;     // as Fn::Sub wants it, up to the last reference
    StrBuf literal; // behind the last reference, not escaped yet
    bool is_late;
    DocNode *map; // Fn::Sub's second argument: what is no plain reference
    const Origin *origin;
} SubText;

void sub_add(SubText *text, Str literal, const Origin *origin);
void sub_add_value(SubText *text, const Value *value);

// ${id} or ${id.Attribute} of this template, or ${AWS::Region}.
void sub_add_reference(SubText *text, Str reference, const Origin *origin);

DocNode *sub_node(SubText *text);

// Like sub_node(), for a text of several lines, written as a block.
DocNode *sub_block(SubText *text);
