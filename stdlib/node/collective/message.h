// Messages between a rank and the leader over TCP. All have one fixed size, so no length from a sender decides how much
// is read. Numbers are little-endian, and strings are printable ASCII padded with zeros. Anything outside the bounds
// below is not a message.
#pragma once

#include "stdlib/node/contract.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PERCENT = 100,
    MESSAGE_BYTES = 384,
    MESSAGE_VERSION = 3,
    TOKEN_BYTES = 16,
    RANKS_MAX = 64, // larger jobs are checked in groups: a ring of more takes longer than anybody waits
    LANES_MAX = 32, // p5.48xlarge has 32 EFA interfaces, the most of any type
    HOST_BYTES = 64,
    LANE_NAME_BYTES = 32,
    ADDRESS_BYTES = 64, // EFA's has 32, an IPv6 socket's 28
    REASON_BYTES = 160,
    PIECE_BYTES = 256,
    PROVIDER_BYTES = 32,
};

// What a job is told apart by from one that ran on the same nodes before it. It keeps strays out, not attackers: that
// is what the security group is for.
typedef struct Token {
    uint8_t bytes[TOKEN_BYTES];
} Token;

typedef enum MessageKind {
    MESSAGE_JOIN,   // rank: I am here
    MESSAGE_LANE,   // rank, and the leader to all: where an interface of a rank is reached
    MESSAGE_REFUSE, // leader: not you
    MESSAGE_BEAT,   // leader: I am alive
    MESSAGE_GO,     // leader: do this step
    MESSAGE_DONE,   // rank: how the step went
    MESSAGE_STOP,   // leader: give up what you do and report
    MESSAGE_REPORT, // rank: how far I was
    MESSAGE_PIECE,  // leader: a piece of the verdict
    MESSAGE_END,    // leader: the verdict is whole; exit with this
    MESSAGE_KINDS,
} MessageKind;

typedef enum Phase {
    PHASE_PING,   // 64 bytes there and back, over every lane
    PHASE_LINK,   // one sender, one receiver, lane by lane
    PHASE_EXACT,  // an all-reduce, each partial sum of which is compared
    PHASE_TIMED,  // all-reduces against the clock
    PHASE_DEVICE, // what the GPUs hold goes once around
    PHASES,
} Phase;

typedef enum Outcome {
    OUTCOME_DONE,
    OUTCOME_STOPPED,   // told to, by the leader
    OUTCOME_TIMED_OUT, // a transfer took longer than an operation may
    OUTCOME_WRONG,     // done, but not all that came in was what had to come
    OUTCOME_BROKEN,    // the fabric's own error
    OUTCOMES,
} Outcome;

// Which transfer did not end, of the last step.
typedef enum Stuck { STUCK_NOWHERE, STUCK_RECEIVING, STUCK_SENDING, STUCK_SIDES } Stuck;

// Counters of EFA that grow where packets are lost, by their names in /sys/class/infiniband/*/ports/1/hw_counters, as
// the driver has them (linux, drivers/infiniband/hw/efa/efa_verbs.c, 6.12, 2024-11). COUNTER(name, warns):
//   ALWAYS  a peer that did not answer, or only badly: nothing of that happens between sound nodes
//   ALONE   where most ranks have none of it: a busy network makes all of them send again
//   NEVER   it is only shown: a receiver that is late drops, too
#define COUNTERS(COUNTER)                        \
    COUNTER(rx_drops, NEVER)                     \
    COUNTER(retrans_pkts, ALONE)                 \
    COUNTER(retrans_timeout_events, ALONE)       \
    COUNTER(impaired_remote_conn_events, ALWAYS) \
    COUNTER(unresponsive_remote_events, ALWAYS)

enum {
#define COUNTER(name, warns) COUNTER_##name,
    COUNTERS(COUNTER)
#undef COUNTER
        COUNTER_COUNT,
};

typedef struct Join {
    uint32_t n;
    uint32_t lane_count;  // 0: the fabric could not be opened, and `reason` says why
    uint32_t memlock_mib; // that it may lock; UINT32_MAX: without a limit
    uint32_t gpu_count;   // whose memory it uses
    char host[HOST_BYTES];
    char provider[PROVIDER_BYTES];
    char reason[REASON_BYTES];
} Join;

typedef struct LaneAddress {
    uint32_t rank;
    uint32_t lane;
    uint32_t len;
    uint8_t address[ADDRESS_BYTES];
    char name[LANE_NAME_BYTES];
} LaneAddress;

typedef struct Go {
    uint32_t serial; // of the step
    Phase phase;
    uint32_t stride;     // PHASE_PING
    uint32_t from, to;   // PHASE_LINK
    uint32_t least_ms;   // PHASE_LINK: to measure each lane for
    uint32_t iterations; // PHASE_TIMED
} Go;

typedef struct Report {
    uint32_t serial;
    Phase phase;
    Outcome outcome;
    // Bits of lanes, PHASE_PING: heard of the peer before me; acknowledged by the one after me.
    uint32_t heard_lanes, acknowledged_lanes;
    // Where it stood, PHASE_EXACT and after: which all-reduce, and how many steps of it were done.
    uint32_t iteration, step;
    Stuck stuck;
    uint32_t peer; // whom it waited for
    // What came in wrong, PHASE_EXACT and PHASE_DEVICE, however the step ended: how often, from whom, and the first
    // time.
    uint32_t wrong_count, wrong_peer, wrong_iteration, wrong_step;
    uint64_t best_ns, total_ns;
    uint32_t mbps[LANES_MAX]; // PHASE_LINK, the sender's
    uint32_t waited_percent;  // PHASE_LINK: of the time of the measurement this rank waited for a processor
    uint64_t counters[COUNTER_COUNT];
    char reason[REASON_BYTES / 2]; // OUTCOME_BROKEN
} Report;

typedef struct Message {
    MessageKind kind;
    Token token;
    uint32_t rank; // whose, or for whom
    union {
        Join join;
        LaneAddress lane;
        Go go;
        Report report;          // DONE, REPORT
        char text[PIECE_BYTES]; // REFUSE, PIECE
        uint32_t exit_code;     // END
    } as;
} Message;

// Writes the message. Its numbers are within the bounds: they are our own. In its strings what is not printable becomes
// `?`, and what is too long is cut.
void message_encode(const Message *message, uint8_t bytes[MESSAGE_BYTES]);

// Reads one. False, and `message` undefined, where it is none: another magic, version or kind, a number out of bounds,
// a string that is not printable or not ended, a byte that nothing needs and is not zero.
bool message_decode(const uint8_t bytes[MESSAGE_BYTES], Message *message);

// Of MESSAGE_REFUSE, where it is no fault of the launcher's.
#define REFUSED_LATE "too late: the run has begun"

// The token of a job's name, whatever its length.
Token token_of(const char *job);
bool token_equal(const Token *a, const Token *b);
