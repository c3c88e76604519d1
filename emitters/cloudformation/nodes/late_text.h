// A long text that is put together before it is known which parts of it are late, such as user data. Late values stand in
// it as marks, which become references of `!Sub` when it is written. No boundary of a message can stand in them.
#pragma once

#include "emitters/cloudformation/template/sub.h"

typedef struct {
    const Value *value; // or a reference to what the template has
    Str reference;
} LatePart;

// Start from `(LateText){ .stack = stack }`.
typedef struct {
    Stack *stack;
    VEC(LatePart) parts;
} LateText;

// Adds the mark of a value that is late, and the text of one that is known.
void late_text_add_value(LateText *late, StrBuf *text, const Value *value);
void late_text_add_reference(LateText *late, StrBuf *text, Str reference); // "AWS::Region", "FileSystem.DNSName"

// The text as a block, with its marks replaced. One without late values is a plain text.
DocNode *late_text_block(LateText *late, Str text, const Origin *origin);
