// Reads values for a tool's file. A late value is the default of its param, or comes from facts.
#pragma once

#include "emitters/tool/tool_file.h"

// The value itself, without anything late on top; NULL where it is null or missing.
const Value *tool_known(ToolFile *file, const Value *value);

// A value as text. Empty if it is missing or null.
Str tool_text(ToolFile *file, const Value *value);

// Whether a value turns out to be null here: not given, null, or a late optional that nothing gave.
bool tool_is_null(ToolFile *file, const Value *value);
