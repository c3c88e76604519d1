// What a value is in a tool's file: late ones are params with defaults, or what facts tell.
#pragma once

#include "emitters/tool/tool_file.h"

// The value itself, without anything late on top; NULL where it is null or missing.
const Value *tool_known(ToolFile *file, const Value *value);

// As text; empty where it is missing or null.
Str tool_text(ToolFile *file, const Value *value);

// Whether a value turns out to be null here: not given, null, or a late optional that nothing gave.
bool tool_is_null(ToolFile *file, const Value *value);
