// Short functions that make the nodes of a template. A literal is made with the constant that explains it. doc.c adds
// the reasons in force (doc_because).
#pragma once

#include "emitters/cloudformation/template/stack.h"

DocNode *node_text(Stack *stack, Why reason, const char *text);
DocNode *node_string(Stack *stack, Why reason, Str text);
DocNode *node_number(Stack *stack, Why reason, int64_t number);
DocNode *node_bool(Stack *stack, Why reason, bool value);

// !Ref of a resource or a parameter; of AWS::Region and its kin; !Ref AWS::NoValue.
DocNode *node_ref(Stack *stack, Str id);
DocNode *node_pseudo(Stack *stack, Why reason, const char *name);
DocNode *node_no_value(Stack *stack);

// !GetAtt id.attribute
DocNode *node_attribute(Stack *stack, Str id, const char *attribute);

// !Sub of a text that is already written for Sub: see sub.h for texts of authors.
DocNode *node_sub(Stack *stack, Why reason, Str text);

// An intrinsic around a list of two.
DocNode *node_call(Stack *stack, DocCall call, DocNode *first, DocNode *second);

// !Join [",", list]; !Split [",", text]
DocNode *node_join(Stack *stack, DocNode *list);
DocNode *node_split(Stack *stack, DocNode *text);

// Adds to a map; a node of NULL adds nothing. node_put_map() and node_put_list() add an empty one and return it.
void node_put(Stack *stack, DocNode *map, const char *key, DocNode *node);
void node_put_text(Stack *stack, DocNode *map, const char *key, Why reason, const char *text);
DocNode *node_put_map(Stack *stack, DocNode *map, const char *key);
DocNode *node_put_list(Stack *stack, DocNode *map, const char *key);

// Adds an empty map to a list and returns it.
DocNode *node_add_map(Stack *stack, DocNode *list);

// A list of one.
DocNode *node_list_of(Stack *stack, DocNode *item);
