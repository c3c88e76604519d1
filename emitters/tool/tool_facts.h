// Facts of deployed stacks that a tool's file needs.
#pragma once

#include "emitters/tool/tool_file.h"

// An output, by its key, of a stack that another tool makes. `used` is the place in the source that needs it. Empty if no
// fact tells: the file then waits.
Str tool_fact(ToolFile *file, Span used, Str stack, const char *output);

// The value of a LATE_OUTPUT; NULL where it is missing, noted, or reported.
const Value *tool_output(ToolFile *file, const Value *value);

// The stack comes before the file.
void tool_need(ToolFile *file, Str stack);

// Notes what the file waits for: facts of one stack together, in the order in which they were missed first.
void tool_miss(ToolFile *file, MissingFact fact);

// The value of a raw resource, of its attribute, or of an output of the author, from the facts of its stack. NULL where it
// is missing, which is noted or reported.
const Value *tool_of_author(ToolFile *file, const Value *value);

// Where the image is: in the account and region of a cluster on EKS, which the cluster's own stack tells. Empty where
// that is missing, noted, or reported.
Str tool_image_uri(ToolFile *file, Span used, const PlanImage *image, const PlanCluster *cluster);
