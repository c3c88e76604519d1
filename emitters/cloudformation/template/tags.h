// Tags: a list of Key and Value, as EC2 and most services take them, or a map, as Batch takes them.
#pragma once

#include "emitters/cloudformation/template/stack.h"

typedef struct {
    const Value *outer; // maps of tags; NULL for none
    const Value *inner; // where both have a key, this one's value is taken
    DocNode *name;      // the value of `Name`, whatever the maps say; NULL: as they have it
    const char *mark;   // one more key, with the value 1, unless a map has it; NULL: none
    Why why_mark;
    bool skips_name; // the maps' `Name` is another thing's
} Tags;

// NULL where there are none.
DocNode *tags_list(Stack *stack, Tags tags);
DocNode *tags_map(Stack *stack, Tags tags);
