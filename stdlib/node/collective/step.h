// The steps of a collective, as one rank does them.
#pragma once

#include "stdlib/node/collective/device.h"
#include "stdlib/node/collective/fabric.h"

enum {
    PING_BYTES = 64,
    LINK_SAMPLES = 8, // the best counts: noise only slows
    LINK_BYTES_MAX = 8 << 20,
    LINK_ENOUGH_MS = 500, // no further sample of a lane is begun after this
};

typedef struct Worker {
    Fabric *fabric;
    Device *devices[DEVICES_MAX]; // of the fabric's regions; NULL: that one is the machine's
    uint32_t rank, n;
    size_t bytes; // of an all-reduce
    uint64_t op_ns;
    bool (*is_stopped)(void *);
    void *context;
    uint8_t *scratch; // for what a GPU holds, to be compared: as much as a chunk; NULL without one
} Worker;

// What an all-reduce of about `bytes` bytes is really of: a chunk of whole numbers for each rank and lane.
size_t step_ring_bytes(size_t bytes, uint32_t n);

// How much memory a worker's transfers take.
size_t step_memory_bytes(size_t bytes, uint32_t n);

// Does what the leader asks for and says how it went. Never longer than an operation may take, for each of its
// operations.
void step_perform(Worker *worker, const Go *go, Report *report);

// What rank `rank` puts into element `element`, and what the sum of `count` ranks is, from `first` on, around the ring
// of `n`: whole numbers below 2^24, so that a sum of floats is exact and any other bit pattern is wrong.
float step_partial_sum(uint32_t element, uint32_t salt, uint32_t first, uint32_t count, uint32_t n);
