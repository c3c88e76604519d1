// Counters of EFA devices for lost packets and packets that were sent again.
#pragma once

#include "stdlib/node/collective/verdict.h"

typedef struct CounterRow {
    const char *name;
    enum { COUNTER_WARNS_NEVER, COUNTER_WARNS_ALONE, COUNTER_WARNS_ALWAYS } warns;
} CounterRow;

extern const CounterRow COUNTER_ROWS[COUNTER_COUNT];

// The sums over all RDMA devices below `root`; 0 where there is no device, or it has no such counter.
void counters_read(const char *root, uint64_t counters[COUNTER_COUNT]);

// Warns of ranks whose counters grew, where nothing else explains it.
void counters_warn(const Evidence *evidence, Verdict *verdict);
