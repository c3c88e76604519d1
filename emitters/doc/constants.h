// The named constants of the emitters: every literal that stands in an output and that no author wrote has one, with
// the reason for it. They are the origins of such leaves; `dtc explain FILE:LINE` prints them.
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
