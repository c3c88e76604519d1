// What words of the language are called today (renamed.def).
#pragma once

#include "compiler/base/str.h"

// The attribute of a kind ("job") that had this name; NULL where none had it.
const char *schema_renamed_attribute(const char *kind, Str name);

// The tag of some attribute's type that had this name; NULL where none had it.
const char *schema_renamed_tag(Str name);
