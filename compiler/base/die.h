// What is nobody's mistake but the machine's.
#pragma once

#include "compiler/base/base.h"

// The machine's mistake (no memory, no disk): prints `dtc: …` and ends with exit status 3.
_Noreturn void die(const char *format, ...) PRINTF_LIKE(1, 2);
