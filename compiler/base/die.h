// Ends the program when the machine fails: no memory, no disk. No author has made a mistake then.
#pragma once

#include "compiler/base/base.h"

// The machine's mistake (no memory, no disk): prints `dtc: …` and ends with exit status 3.
_Noreturn void die(const char *format, ...) PRINTF_LIKE(1, 2);
