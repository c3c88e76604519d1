// The places of the ranks at the leader, and what each rank has said.
#pragma once

#include "stdlib/node/collective/evidence.h"
#include "stdlib/node/collective/job.h"
#include "stdlib/node/collective/wire.h"

// Connections that have not said who they are: all ranks at once, and as many that are none.
enum { STRANGERS_MAX = 2 * RANKS_MAX };

// A rank's place, or a stranger's.
typedef struct Seat {
    Inbox inbox; // fd -1: nobody is there
    uint64_t since_ns;
    char address[HOST_BYTES]; // that it comes from
    uint32_t lanes_known;
    bool is_awaited; // to report
} Seat;

typedef struct Seats {
    const Job *job;
    int listener;
    Seat ranks[RANKS_MAX];
    Seat strangers[STRANGERS_MAX];
    LaneAddress addresses[RANKS_MAX][LANES_MAX];
    Evidence evidence;
    Go go;             // the current step
    bool is_gathering; // ranks may come, and go and come again
    bool is_stopping;  // all were told to stop: only a report answers that
    bool has_trouble;  // something that ends the run
    uint64_t next_beat_ns;
} Seats;

// Empties the places; the rest of `seats` is zero, but for what the caller has put into the evidence.
void seats_begin(Seats *seats, const Job *job, int listener);

// Waits for a while at most, not beyond the deadline, and hears whoever has something to say.
void seats_tick(Seats *seats, uint64_t deadline_ns);

// Sends with the job's token. Who cannot be told is lost.
void seats_say(Seats *seats, uint32_t rank, Message *message);
void seats_say_to_all(Seats *seats, Message *message);

// Whether all ranks have come and named all of their lanes.
bool seats_are_complete(const Seats *seats);

// How many ranks are there.
uint32_t seats_taken(const Seats *seats);

// How many of those that are there have still to report.
uint32_t seats_awaited(const Seats *seats);
