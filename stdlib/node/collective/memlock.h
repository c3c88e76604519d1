// How much memory this process may lock. EFA's endpoints and what is registered with them are locked.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { MEMLOCK_NO_LIMIT = UINT32_MAX };

// Raises the limit to the most that it may be, and returns that in MiB.
uint32_t memlock_raise(void);

// Whether a process with this /proc/PID/status has the capability that lifts the limit.
bool memlock_is_lifted(const char *status);
