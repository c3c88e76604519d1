// What services and tools take at least and at most, as enumerators: LIMIT_ and the name in limits.def.
#pragma once

enum {
#define LIMIT(name, number) LIMIT_##name = (number),
#include "schema/limits.def"
#undef LIMIT
};
