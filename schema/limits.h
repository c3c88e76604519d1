// The limits of services and tools, least and most, as enumerators: LIMIT_ and the name in limits.def.
#pragma once

enum {
#define LIMIT(name, number) LIMIT_##name = (number),
#include "schema/limits.def"
#undef LIMIT
};
