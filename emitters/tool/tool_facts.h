// What a tool's file needs to know of stacks that are deployed.
#pragma once

#include "emitters/tool/tool_file.h"

// An output of a stack that another tool makes, by its key; and the account that such a stack is in. `used` is where
// the source needs it. Empty where no fact tells: the file then waits.
Str tool_fact(ToolFile *file, Span used, Str stack, const char *output);
Str tool_account(ToolFile *file, Span used, Str stack);

// The value of a LATE_OUTPUT; NULL where it is missing, noted, or reported.
const Value *tool_output(ToolFile *file, const Value *value);

// Notes what the file waits for: facts of one stack together, in the order in which they were missed first.
void tool_miss(ToolFile *file, MissingFact fact);
