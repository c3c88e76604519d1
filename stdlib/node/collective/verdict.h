// Judges what the leader saw: who is at fault. A pure function, so that each rule stands in a test.
#pragma once

#include "stdlib/node/collective/message.h"

// What became of a rank, as far as the leader knows.
typedef enum Presence {
    PRESENCE_ABSENT, // never joined
    PRESENCE_JOINED,
    PRESENCE_LOST,   // its connection ended before the verdict
    PRESENCE_SILENT, // did not answer when it was told to stop
} Presence;

typedef struct RankEvidence {
    Presence presence;
    Join join;
    bool has_report;
    Report report; // of the step in which the run ended
    char lane_names[LANES_MAX][LANE_NAME_BYTES];
} RankEvidence;

typedef struct LinkEvidence {
    uint32_t from, to;
    uint32_t broken_lanes; // bits: pings that did not get through
    bool has_failed;       // pinged, but a measurement did not end
    bool is_measured;
    uint32_t mbps[LANES_MAX];
} LinkEvidence;

enum {
    STRIDES_MAX = 2,
    LINKS_MAX = 2 * STRIDES_MAX * RANKS_MAX, // answers of pings go the other way
    CULPRITS_MAX = RANKS_MAX,
    // A link is slow below so many percent of the median of its lane. Twice as slow as the others is not yet a fault,
    // five times is: this is the middle of the two, as ratios go.
    SLOW_PERCENT = 32,
};

typedef struct Evidence {
    uint32_t n;
    uint32_t lane_count; // the most that a rank has
    RankEvidence ranks[RANKS_MAX];
    uint32_t link_count;
    LinkEvidence links[LINKS_MAX];
    uint32_t link_floor_mbps; // 0: none
    uint64_t bytes;           // of an all-reduce
    uint32_t bus_floor_mbps;
    uint64_t mean_ns, best_ns; // of an all-reduce, the slowest rank's; 0: not timed
    bool has_ended_early;      // not every step was done
} Evidence;

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

// The strides of the links that are tried, at most STRIDES_MAX; returns how many. With two, each rank sends to two
// others and receives from two others, four different ones from n = 5 on, so that a bad sender and a bad receiver can
// be told apart.
uint32_t verdict_strides(uint32_t n, uint32_t strides[STRIDES_MAX]);

// Whether lane `lane` of a measured link is slow, beside the others or beside the floor.
bool verdict_is_slow(const Evidence *evidence, const LinkEvidence *link, uint32_t lane);

// Mb/s that an all-reduce of so many bytes in so many nanoseconds uses of each interface's both directions.
uint64_t verdict_bus_mbps(uint64_t bytes, uint32_t n, uint64_t ns);
