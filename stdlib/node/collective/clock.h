// Time for a collective: one clock that never goes back, and how much of it this process had to wait for.
#pragma once

#include <stdint.h>

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000, MS_PER_S = 1000 };

// Nanoseconds since some fixed moment of this machine.
uint64_t clock_ns(void);

// Nanoseconds that this process was ready to run and no processor was free for it, since it began. 0 where the kernel
// does not count them (CONFIG_SCHED_INFO; Linux, Documentation/scheduler/sched-stats.rst, 2026-11).
uint64_t clock_waited_ns(void);

// Milliseconds until `deadline_ns`, for poll(): 0 where it has passed, at most `ms_max`.
int clock_left_ms(uint64_t deadline_ns, int ms_max);
