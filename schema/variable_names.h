// Names of variables that libraries of a job read (variable_names.def).
#pragma once

#include "compiler/base/str.h"

// Whether the first part of a name is that of such a library, or near to it: others need no look.
bool variable_name_may_be(Str name);

// Whether it is one of them.
bool variable_name_is_read(Str name);

// All of them, one after the other: start from `{ 0 }`. Empty behind the last.
typedef struct {
    size_t row;
    size_t offset;
} VariableNames;

Str variable_name_next(VariableNames *names);
