// What dtc prints when it crashes.
#pragma once

#include "compiler/base/base.h"

// From here on, a signal that only a fault of dtc raises ends the program with STATUS_INTERNAL, and says what to
// report. Such a fault is an invalid access, an overflow of the stack, a wrong instruction, or an assertion that fails.
// The handler runs on a stack of its own.
void crash_watch(void);
