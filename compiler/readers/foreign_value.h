// Values of foreign files whose language has no expressions. What another program fills in before the file is used,
// `${NAME}` or `{{ name }}`, is late.
#pragma once

#include "compiler/base/data.h"
#include "compiler/semantics/value.h"

// The tag of a text that another program replaces, whatever it looks like. No file can have it.
#define FILLED_IN "${}"

// The value, with its spans. Never NULL.
const Value *foreign_value(Arena *arena, const Data *data);
