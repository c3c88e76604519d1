// The ranks of a benchmark, from the list that nccl-tests prints above its results.
#pragma once

#include "stdlib/node/collective/benchmark.h"

enum { RANKS_HOSTS_MAX = 1024 };

typedef struct RankHost {
    const char *data; // borrowed of the output
    size_t len;
} RankHost;

// One list; begins as `{ 0 }`.
typedef struct Ranks {
    RankHost hosts[RANKS_HOSTS_MAX];
    uint32_t host_count; // distinct; those beyond RANKS_HOSTS_MAX count as one
    uint32_t count;
    uint64_t highest; // of their numbers
    bool is_split;    // into groups, each with a collective of its own
} Ranks;

void ranks_add(Ranks *ranks, uint64_t number, const char *host, size_t len, bool is_of_other_group);

// The list is over: its numbers go into `benchmark`, where a list before had the same ones; and `ranks` begins anew.
void ranks_end(Ranks *ranks, Benchmark *benchmark);
