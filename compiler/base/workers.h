// Work on many items that know nothing of each other, on the processors that there are.
#pragma once

#include "compiler/base/base.h"

enum {
    WORKERS_MAX = 16, // at a time
    SLOTS_PER_WORKER = 2,
    SLOTS_MAX = WORKERS_MAX * SLOTS_PER_WORKER, // as many results there are at a time, the unfinished ones included
};

typedef struct {
    // Works on an item, beside others. What several calls share is only read. `slot` is below SLOTS_MAX and belongs to
    // this item until `take` has ended: what stands there may be kept for the next one.
    void (*work)(void *context, uint32_t item, uint32_t slot);
    // Takes what came of it. The caller's thread does that, in the order of the items.
    void (*take)(void *context, uint32_t item, uint32_t slot);
    void *context;
} Job;

// How many items work_in_order() works on at a time: the processors, or one for each item where these are fewer.
uint32_t workers_of(uint32_t count);

// Works on the items 0 to `count` - 1, `workers` (1 to WORKERS_MAX) at a time, and takes all of them. One worker is the
// caller's thread, and so is everything on a machine that has no thread left.
void work_in_order(const Job *job, uint32_t count, uint32_t workers);
