// Holds keys against those that they cannot stand beside, or without (schema/combinations.def).
#pragma once

#include "compiler/plan/rules/tool_keys.h"

// Reports keys of a map of a tool's file; `name` is that of its row in patches.def.
void combinations_check(const KeysCheck *check, const char *name, const Value *map);
