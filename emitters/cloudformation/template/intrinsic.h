// Intrinsic functions of CloudFormation as nodes of a template. doc.c adds the reasons in force (doc_because).
#pragma once

#include "emitters/cloudformation/template/stack.h"
#include "emitters/doc/tree.h"

// !Ref of a resource or a parameter; of AWS::Region and its kin; !Ref AWS::NoValue.
DocNode *intrinsic_ref(Stack *stack, Str id);
DocNode *intrinsic_pseudo(Stack *stack, Why reason, const char *name);
DocNode *intrinsic_no_value(Stack *stack);

// !GetAtt id.attribute
DocNode *intrinsic_get_att(Stack *stack, Str id, const char *attribute);

// !Sub of a text that is already written for Sub: see sub.h for texts of authors.
DocNode *intrinsic_sub(Stack *stack, Why reason, Str text);

// An intrinsic around a list of two.
DocNode *intrinsic_call(Stack *stack, DocCall call, DocNode *first, DocNode *second);

// !Join [",", list]; !Split [",", text]
DocNode *intrinsic_join(Stack *stack, DocNode *list);
DocNode *intrinsic_split(Stack *stack, DocNode *text);
