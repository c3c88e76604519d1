// What the leader has seen of a run. The verdict is made from it.
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
    // What the link may carry where no end had to wait for a processor: no more than each measurement shows, with its
    // waiting taken off. 0: as `mbps`.
    uint32_t possible_mbps[LANES_MAX];
    uint32_t waited_rank, waited_percent; // of the last measurement: the end that waited longer
    uint32_t serial;                      // of its step, of which one end has reported
    uint32_t last_mbps[LANES_MAX];        // and the sender's rates
} LinkEvidence;

// Who was not let in while ranks were coming: a rank of another job, or of this one under a wrong number.
typedef struct Refusal {
    uint32_t rank; // that it says it is
    char address[HOST_BYTES];
    char why[REASON_BYTES];
} Refusal;

enum { REFUSALS_MAX = 8 }; // that are kept

enum {
    STRIDES_MAX = 2,
    LINKS_MAX = 2 * STRIDES_MAX * RANKS_MAX, // answers of pings go the other way
};

typedef struct Evidence {
    uint32_t n;
    uint32_t leader_rank; // the leader runs beside this one, and sees what that node's network lets it
    uint32_t lane_count;  // the most that a rank has
    uint32_t gpu_count;   // and of GPUs
    RankEvidence ranks[RANKS_MAX];
    uint32_t refusal_count;
    Refusal refusals[REFUSALS_MAX];
    uint32_t link_count;
    LinkEvidence links[LINKS_MAX];
    uint32_t link_floor_mbps; // 0: none
    uint32_t link_warn_mbps;  // 0: none
    uint64_t bytes;           // of an all-reduce
    uint32_t bus_floor_mbps;
    uint64_t mean_ns, best_ns; // of an all-reduce, the slowest rank's; 0: not timed
    bool has_ended_early;      // not every step was done
} Evidence;

// The strides of the links that are tried, at most STRIDES_MAX; returns how many. With two, each rank sends to two
// others and receives from two others, four different ones from n = 5 on, so that a bad sender and a bad receiver can
// be told apart.
uint32_t evidence_strides(uint32_t n, uint32_t strides[STRIDES_MAX]);

// Puts down the links that will be tried, in their order.
void evidence_list_links(Evidence *evidence);

// Puts down who was refused, once however often it tries.
void evidence_note_refusal(Evidence *evidence, uint32_t rank, const char *address, const char *why);

// Forgets that, where the same one is let in after all: its own connection of before had not ended yet.
void evidence_forget_refusals(Evidence *evidence, uint32_t rank, const char *address);

// Takes over how a step went at a rank. False where the step has to be ended at the others; a bad link or a wrong sum
// is no such reason: the others say whose fault it is, and whether there are more.
bool evidence_note_step(Evidence *evidence, const Go *go, uint32_t rank, const Report *report);

bool evidence_has_wrong_sum(const Evidence *evidence);

// After a ping, when all ranks have reported: whose answers were lost.
void evidence_note_answers(Evidence *evidence, const Go *go);

// After timed all-reduces: how long one took.
void evidence_note_times(Evidence *evidence, uint32_t iterations);
