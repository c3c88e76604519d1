// Time for a collective: one clock that never goes back.
#pragma once

#include <stdint.h>

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000, MS_PER_S = 1000 };

// Nanoseconds since some fixed moment of this machine.
uint64_t clock_ns(void);

// Milliseconds until `deadline_ns`, for poll(): 0 where it has passed, at most `ms_max`.
int clock_left_ms(uint64_t deadline_ns, int ms_max);
