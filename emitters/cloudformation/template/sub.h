// Texts that are known in part: literal pieces and late values laid end to end, written as one string where nothing in
// them is late, and as `!Sub` otherwise. The only place where an author's text gets into Fn::Sub, and so where `${` in
// it is escaped. A known text that holds `${AWS::…}` is written as `!Sub` too: as a plain string it would be the same,
// but readers and linters take it for a substitution that somebody forgot.
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

// The same of a text of several lines, which is written as it is read.
DocNode *sub_block(SubText *text);
