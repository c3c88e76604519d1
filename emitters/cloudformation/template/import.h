// What a stack makes and another, or the same, speaks of: `lab.private`. In its own stack a reference; in others an
// import of the export, which is one text, lists joined with commas.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Of a LATE_OUTPUT: its value; a list where its type is one, and the whole of it is meant.
DocNode *import_node(Stack *stack, const Value *value);

// As one text, lists joined with commas.
DocNode *import_text(Stack *stack, const Value *value);

// The logical id of an image's repository, in the stack that makes it.
Str import_repository_id(const Stack *stack, const PlanImage *image);

// The name of an image, as containers are started from it. A repository of this very stack is a reference.
DocNode *import_image(Stack *stack, const PlanImage *image);
