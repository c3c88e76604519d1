// The leader's side of the connections: who may sit down, what those who sit say, and who has left. Messages are noted
// here and judged elsewhere. While it waits the leader beats, so that ranks can tell a leader that has nothing to say
// from one that is gone.
#include "stdlib/node/collective/seats.h"

#include "stdlib/node/collective/clock.h"
#include "stdlib/node/collective/text.h"

#include <poll.h>
#include <unistd.h>

enum {
    STRANGER_MS = 5000, // in which one has to say who it is
    BEAT_MS = 500,
    TICK_MS = 100,
};

static void hang_up(Seat *seat) {
    if (seat->inbox.fd >= 0) {
        close(seat->inbox.fd);
    }
    *seat = (Seat){ .inbox.fd = -1 };
}

static RankEvidence *rank_of(Seats *seats, const Seat *seat) {
    return &seats->evidence.ranks[seat - seats->ranks];
}

// A rank that leaves while others are still coming may come again; later it is lost.
static void lose(Seats *seats, Seat *seat) {
    rank_of(seats, seat)->presence = seats->is_gathering ? PRESENCE_ABSENT : PRESENCE_LOST;
    seats->has_trouble |= !seats->is_gathering;
    hang_up(seat);
}

void seats_say(Seats *seats, uint32_t rank, Message *message) {
    Seat *seat = &seats->ranks[rank];
    message->token = seats->job->token;
    if (seat->inbox.fd >= 0 && !wire_send(seat->inbox.fd, message)) {
        lose(seats, seat);
    }
}

void seats_say_to_all(Seats *seats, Message *message) {
    for (uint32_t i = 0; i < seats->job->n; i++) {
        seats_say(seats, i, message);
    }
}

void seats_begin(Seats *seats, const Job *job, int listener) {
    seats->job = job;
    seats->listener = listener;
    seats->is_gathering = true;
    for (uint32_t i = 0; i < RANKS_MAX; i++) {
        seats->ranks[i].inbox.fd = -1;
    }
    for (uint32_t i = 0; i < STRANGERS_MAX; i++) {
        seats->strangers[i].inbox.fd = -1;
    }
}

// ---- who comes in

// Says why, and notes it where it explains that a rank is missing. Who does not know the token is not told it.
static void refuse(Seats *seats, Seat *stranger, const Message *asked, const char *reason) {
    const bool is_known = token_equal(&asked->token, &seats->job->token);
    Message message = { .kind = MESSAGE_REFUSE, .token = is_known ? seats->job->token : (Token){ .bytes = { 0 } } };
    text_into(message.as.text, sizeof message.as.text, "%s", reason);
    (void)wire_send(stranger->inbox.fd, &message);
    if (seats->is_gathering) {
        evidence_note_refusal(&seats->evidence, asked->rank, stranger->address, reason);
    }
    hang_up(stranger);
}

static void refuse_second(Seats *seats, Seat *stranger, const Message *asked) {
    char reason[REASON_BYTES];
    text_into(reason, sizeof reason, "rank %u is %.60s's, at %.60s", asked->rank,
              seats->evidence.ranks[asked->rank].join.host, seats->ranks[asked->rank].address);
    refuse(seats, stranger, asked, reason);
}

static void seat_stranger(Seats *seats, Seat *stranger, const Message *message) {
    const Job *job = seats->job;
    if (message->kind != MESSAGE_JOIN) {
        hang_up(stranger);
    } else if (!token_equal(&message->token, &job->token)) {
        refuse(seats, stranger, message, "another token, as of another job");
    } else if (message->as.join.n != job->n || message->rank >= job->n) {
        refuse(seats, stranger, message, "this job has another number of ranks");
    } else if (seats->ranks[message->rank].inbox.fd >= 0) {
        refuse_second(seats, stranger, message);
    } else if (!seats->is_gathering) {
        refuse(seats, stranger, message, REFUSED_LATE);
    } else {
        evidence_forget_refusals(&seats->evidence, message->rank, stranger->address);
        RankEvidence *rank = &seats->evidence.ranks[message->rank];
        rank->presence = PRESENCE_JOINED;
        rank->join = message->as.join;
        Seat *seat = &seats->ranks[message->rank];
        *seat = (Seat){ .inbox = stranger->inbox };
        text_into(seat->address, sizeof seat->address, "%s", stranger->address);
        *stranger = (Seat){ .inbox.fd = -1 };
        Message beat = { .kind = MESSAGE_BEAT };
        seats_say(seats, message->rank, &beat);
    }
}

static void admit(Seats *seats) {
    char address[HOST_BYTES];
    int fd;
    while ((fd = wire_accept(seats->listener, address, sizeof address)) >= 0) {
        Seat *place = &seats->strangers[0];
        for (uint32_t i = 0; i < STRANGERS_MAX; i++) {
            Seat *seat = &seats->strangers[i];
            // A free place, or that of whoever has been silent for longest.
            if (seat->inbox.fd < 0 || (place->inbox.fd >= 0 && seat->since_ns < place->since_ns)) {
                place = seat;
            }
        }
        hang_up(place);
        *place = (Seat){ .inbox.fd = fd, .since_ns = clock_ns() };
        text_into(place->address, sizeof place->address, "%s", address);
    }
}

static void hear_stranger(Seats *seats, Seat *stranger) {
    Message message;
    switch (inbox_take(&stranger->inbox, &message)) {
    case RECEIVED_MESSAGE:
        seat_stranger(seats, stranger, &message);
        break;
    case RECEIVED_NOTHING:
        if (clock_ns() - stranger->since_ns > (uint64_t)STRANGER_MS * NS_PER_MS) {
            hang_up(stranger);
        }
        break;
    case RECEIVED_END:
    case RECEIVED_NONSENSE:
        hang_up(stranger);
        break;
    }
}

// ---- what ranks say

static void hear_rank(Seats *seats, Seat *seat, const Message *message) {
    const uint32_t rank = (uint32_t)(seat - seats->ranks);
    RankEvidence *evidence = rank_of(seats, seat);
    if (!token_equal(&message->token, &seats->job->token) || message->rank != rank) {
        lose(seats, seat);
        return;
    }
    switch (message->kind) {
    case MESSAGE_LANE:
        if (seat->lanes_known < evidence->join.lane_count && message->as.lane.lane == seat->lanes_known) {
            seats->addresses[rank][seat->lanes_known] = message->as.lane;
            seats->addresses[rank][seat->lanes_known].rank = rank;
            text_into(evidence->lane_names[seat->lanes_known], LANE_NAME_BYTES, "%s", message->as.lane.name);
            seat->lanes_known++;
        }
        break;
    case MESSAGE_DONE:
        // One that crosses the order to stop was sent before that was heard, and by one who may never hear it.
        if (!seats->is_stopping && seat->is_awaited && message->as.report.serial == seats->go.serial) {
            seat->is_awaited = false;
            seats->has_trouble |= !evidence_note_step(&seats->evidence, &seats->go, rank, &message->as.report);
        }
        break;
    case MESSAGE_REPORT:
        seat->is_awaited = false;
        evidence->has_report = true;
        evidence->report = message->as.report;
        break;
    case MESSAGE_JOIN:
    case MESSAGE_REFUSE:
    case MESSAGE_BEAT:
    case MESSAGE_GO:
    case MESSAGE_STOP:
    case MESSAGE_PIECE:
    case MESSAGE_END:
    case MESSAGE_KINDS:
        lose(seats, seat);
        break;
    }
}

static void hear_seat(Seats *seats, Seat *seat) {
    Message message;
    Received received = RECEIVED_MESSAGE;
    while (seat->inbox.fd >= 0 && received == RECEIVED_MESSAGE) {
        received = inbox_take(&seat->inbox, &message);
        if (received == RECEIVED_MESSAGE) {
            hear_rank(seats, seat, &message);
        } else if (received != RECEIVED_NOTHING) {
            lose(seats, seat);
        }
    }
}

void seats_tick(Seats *seats, uint64_t deadline_ns) {
    struct pollfd waited[1 + RANKS_MAX + STRANGERS_MAX];
    nfds_t count = 0;
    waited[count++] = (struct pollfd){ .fd = seats->listener, .events = POLLIN };
    for (uint32_t i = 0; i < seats->job->n; i++) {
        waited[count++] = (struct pollfd){ .fd = seats->ranks[i].inbox.fd, .events = POLLIN };
    }
    for (uint32_t i = 0; i < STRANGERS_MAX; i++) {
        waited[count++] = (struct pollfd){ .fd = seats->strangers[i].inbox.fd, .events = POLLIN };
    }
    (void)poll(waited, count, clock_left_ms(deadline_ns, TICK_MS));
    admit(seats);
    for (uint32_t i = 0; i < STRANGERS_MAX; i++) {
        if (seats->strangers[i].inbox.fd >= 0) {
            hear_stranger(seats, &seats->strangers[i]);
        }
    }
    for (uint32_t i = 0; i < seats->job->n; i++) {
        hear_seat(seats, &seats->ranks[i]);
    }
    if (clock_ns() >= seats->next_beat_ns) {
        seats->next_beat_ns = clock_ns() + (uint64_t)BEAT_MS * NS_PER_MS;
        Message beat = { .kind = MESSAGE_BEAT };
        seats_say_to_all(seats, &beat);
    }
}

bool seats_are_complete(const Seats *seats) {
    for (uint32_t i = 0; i < seats->job->n; i++) {
        const RankEvidence *rank = &seats->evidence.ranks[i];
        if (rank->presence != PRESENCE_JOINED || seats->ranks[i].lanes_known < rank->join.lane_count) {
            return false;
        }
    }
    return true;
}

uint32_t seats_taken(const Seats *seats) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < seats->job->n; i++) {
        count += seats->ranks[i].inbox.fd >= 0;
    }
    return count;
}

uint32_t seats_awaited(const Seats *seats) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < seats->job->n; i++) {
        count += seats->ranks[i].is_awaited && seats->ranks[i].inbox.fd >= 0;
    }
    return count;
}
