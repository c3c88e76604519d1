// What is said where dtc itself is at fault.
#pragma once

#include "compiler/base/base.h"

// Large enough for the handler and what the processor saves before it.
enum { CRASH_STACK_BYTES = 32 * 1024 };

// From here on a signal that only a fault of dtc raises (an invalid access, also one beyond the end of the stack; a wrong
// instruction; an assertion that fails) ends the program with STATUS_INTERNAL, and says what to report. The handler runs
// on `stack`, which must live as long as the program.
void crash_watch(char stack[static CRASH_STACK_BYTES]);
