// The named constants of the emitters. Every literal of an output that no author wrote has a constant with its reason.
// The constant is the origin of such a leaf, and `dtc explain FILE:LINE` prints it.
#pragma once

#include "compiler/base/origin.h"

typedef enum {
#define WHY(id, name, text) WHY_##id,
#include "emitters/doc/constants.def"
#undef WHY
    WHY_COUNT
} Why;

// Never NULL; constant.
const Origin *why(Why id);
