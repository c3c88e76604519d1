// Addresses behind which another text may stand tomorrow.
#pragma once

#include "compiler/base/str.h"

// Why what stands at an address changes with time: "it is on a branch". NULL where that is not known.
const char *moving_url(Str url);
