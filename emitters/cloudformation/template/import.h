// Outputs of a stack, used by another stack or by itself: `lab.private`. In its own stack the use is a reference. In
// another stack it is an import of the export, which is one text; lists are joined with commas.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// The value of a LATE_OUTPUT. A list if its type is a list and the whole list is meant.
DocNode *import_node(Stack *stack, const Value *value);

// Like import_node(), as one text. Lists are joined with commas.
DocNode *import_text(Stack *stack, const Value *value);

// Whether another stack than this one makes what the block makes.
bool import_is_elsewhere(const Stack *stack, const Block *block);

// The import of a raw resource, or of an attribute of one, that another stack makes.
DocNode *import_resource(Stack *stack, const Value *value);

// The import of a LATE_WRITTEN_OUTPUT of another stack. IMPORT_LIST: of a list, a list.
typedef enum { IMPORT_LIST, IMPORT_TEXT } ImportForm;
DocNode *import_written(Stack *stack, const Value *value, ImportForm form);

// The logical id of an image's repository, in the stack that makes it.
Str import_repository_id(const Stack *stack, const PlanImage *image);

// The name of an image, from which containers start. A repository of the same stack is a reference.
DocNode *import_image(Stack *stack, const PlanImage *image);

// The logical id of a bucket, in the stack that makes it.
Str import_bucket_id(const Stack *stack, const PlanPart *bucket);
