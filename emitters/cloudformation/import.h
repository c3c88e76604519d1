// What a stack makes and another, or the same, speaks of: `lab.private`. In its own stack a reference; in others an
// import of the export, which is one text, lists joined with commas.
#pragma once

#include "emitters/cloudformation/stack.h"

// Of a LATE_OUTPUT: its value; a list where its type is one, and the whole of it is meant.
DocNode *import_node(Stack *stack, const Value *value);

// As one text, lists joined with commas.
DocNode *import_text(Stack *stack, const Value *value);
