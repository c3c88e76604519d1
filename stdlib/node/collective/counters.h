// Counters of EFA devices for lost packets and packets that were sent again.
#pragma once

#include "stdlib/node/collective/message.h"

// The sums over all RDMA devices below `root`; 0 where there is no device, or it has no such counter.
void counters_read(const char *root, uint64_t counters[COUNTER_COUNT]);
