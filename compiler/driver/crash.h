// What dtc prints when it crashes.
#pragma once

#include "compiler/base/base.h"

// From here on a signal that only a fault of dtc raises (an invalid access, also one beyond the end of the stack; a
// wrong instruction; an assertion that fails) ends the program with STATUS_INTERNAL, and says what to report. The
// handler runs on a stack of its own.
void crash_watch(void);
