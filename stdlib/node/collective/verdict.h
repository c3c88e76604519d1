// Judges what the leader saw, and names who is at fault. It is a pure function, so a test can hold each of its rules.
#pragma once

#include "stdlib/node/collective/evidence.h"

enum {
    CULPRITS_MAX = RANKS_MAX,
    // A link is slow below so many percent of the median of its lane. Twice as slow as the others is not yet a fault,
    // five times is: this is the middle of the two, as ratios go.
    SLOW_PERCENT = 32,
};

typedef struct Culprit {
    uint32_t rank;
    char why[REASON_BYTES];
} Culprit;

typedef struct Suspect {
    uint32_t from, to;
} Suspect;

typedef struct Verdict {
    bool has_passed;
    uint32_t culprit_count;
    Culprit culprits[CULPRITS_MAX];
    uint32_t suspect_count;
    Suspect suspects[LINKS_MAX];
    char abort[REASON_BYTES]; // what ended the run, or ""
} Verdict;

void verdict_judge(const Evidence *evidence, Verdict *verdict);

// What rank `rank` exits with.
int verdict_exit_code(const Verdict *verdict, uint32_t rank);

// Whether lane `lane` of a measured link is slow, beside the others or beside the floor.
bool verdict_is_slow(const Evidence *evidence, const LinkEvidence *link, uint32_t lane);

// Mb/s that an all-reduce of so many bytes in so many nanoseconds uses of each interface's both directions.
uint64_t verdict_bus_mbps(uint64_t bytes, uint32_t n, uint64_t ns);
