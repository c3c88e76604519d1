// One loop over sockets. The leader hands out steps and waits for them; while it waits it beats, so that ranks can tell
// a leader that has nothing to say from one that is gone. When a step goes wrong everybody is told to stop and to say
// how far they were, and only with all those answers, or with their absence, is anybody named.
#include "stdlib/node/collective/leader.h"

#include "stdlib/node/collective/clock.h"
#include "stdlib/node/collective/outcome.h"
#include "stdlib/node/collective/verdict.h"
#include "stdlib/node/collective/wire.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    STRANGERS_MAX = 32, // connections that have not said who they are
    STRANGER_MS = 5000, // in which they have to
    BEAT_MS = 500,
    TICK_MS = 100,
    GRACE_MS = 2000, // for an answer to STOP
    SLACK_MS = 1000, // beyond the time that a rank gives its own operation
    // A link that looks slow is measured again before it counts as that, each time for so long: eight samples of a fast
    // link are over in the time that a busy machine takes a process away.
    RETRIALS = 4,
    RETRIAL_MS = 250,
    FAREWELL_MS = 1000, // until ranks have hung up after the verdict
};

// A rank's place, or a stranger's.
typedef struct Seat {
    Inbox inbox; // fd -1: nobody is there
    uint64_t since_ns;
    uint32_t lanes_known;
    bool is_awaited;
} Seat;

typedef struct Leader {
    const Job *job;
    int listener;
    Seat seats[RANKS_MAX];
    Seat strangers[STRANGERS_MAX];
    LaneAddress addresses[RANKS_MAX][LANES_MAX];
    Evidence evidence;
    bool is_gathering;
    bool has_trouble; // something that ends the run
    uint32_t serial;
    Go go; // the current step
    uint64_t next_beat_ns;
    bool is_phase_done[PHASES];
} Leader;

static void hang_up(Seat *seat) {
    if (seat->inbox.fd >= 0) {
        close(seat->inbox.fd);
    }
    *seat = (Seat){ .inbox.fd = -1 };
}

static RankEvidence *rank_of(Leader *leader, const Seat *seat) {
    return &leader->evidence.ranks[seat - leader->seats];
}

// A rank that leaves while others are still coming may come again; later it is lost.
static void lose(Leader *leader, Seat *seat) {
    rank_of(leader, seat)->presence = leader->is_gathering ? PRESENCE_ABSENT : PRESENCE_LOST;
    leader->has_trouble |= !leader->is_gathering;
    hang_up(seat);
}

static void say(Leader *leader, Seat *seat, Message *message) {
    message->token = leader->job->token;
    if (seat->inbox.fd >= 0 && !wire_send(seat->inbox.fd, message)) {
        lose(leader, seat);
    }
}

static void say_to_all(Leader *leader, Message *message) {
    for (uint32_t i = 0; i < leader->job->n; i++) {
        say(leader, &leader->seats[i], message);
    }
}

// ---- who comes in

static void refuse(Leader *leader, Seat *stranger, const char *reason) {
    Message message = { .kind = MESSAGE_REFUSE, .token = leader->job->token };
    text_into(message.as.text, sizeof message.as.text, "%s", reason);
    (void)wire_send(stranger->inbox.fd, &message);
    hang_up(stranger);
}

static void seat_stranger(Leader *leader, Seat *stranger, const Message *message) {
    const Job *job = leader->job;
    // Who does not know the token learns nothing about this job.
    if (message->kind != MESSAGE_JOIN || !token_equal(&message->token, &job->token)) {
        hang_up(stranger);
    } else if (message->as.join.n != job->n || message->rank >= job->n) {
        refuse(leader, stranger, "this job has another number of ranks");
    } else if (leader->seats[message->rank].inbox.fd >= 0) {
        refuse(leader, stranger, "this rank is taken");
    } else if (!leader->is_gathering) {
        refuse(leader, stranger, "too late: the run has begun");
    } else {
        RankEvidence *rank = &leader->evidence.ranks[message->rank];
        rank->presence = PRESENCE_JOINED;
        rank->join = message->as.join;
        leader->seats[message->rank] = (Seat){ .inbox = stranger->inbox };
        *stranger = (Seat){ .inbox.fd = -1 };
        Message beat = { .kind = MESSAGE_BEAT };
        say(leader, &leader->seats[message->rank], &beat);
    }
}

static void admit(Leader *leader) {
    for (int fd = wire_accept(leader->listener); fd >= 0; fd = wire_accept(leader->listener)) {
        Seat *place = &leader->strangers[0];
        for (uint32_t i = 0; i < STRANGERS_MAX; i++) {
            Seat *seat = &leader->strangers[i];
            // A free place, or that of whoever has been silent for longest.
            if (seat->inbox.fd < 0 || (place->inbox.fd >= 0 && seat->since_ns < place->since_ns)) {
                place = seat;
            }
        }
        hang_up(place);
        *place = (Seat){ .inbox.fd = fd, .since_ns = clock_ns() };
    }
}

static void hear_stranger(Leader *leader, Seat *stranger) {
    Message message;
    switch (inbox_take(&stranger->inbox, &message)) {
    case RECEIVED_MESSAGE:
        seat_stranger(leader, stranger, &message);
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

static LinkEvidence *link_of(Evidence *evidence, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        if (evidence->links[i].from == from && evidence->links[i].to == to) {
            return &evidence->links[i];
        }
    }
    LinkEvidence *link = &evidence->links[evidence->link_count++];
    *link = (LinkEvidence){ .from = from, .to = to };
    return link;
}

// Links stand in the order in which they are tried, whoever reports first.
static void list_links(Evidence *evidence) {
    uint32_t strides[STRIDES_MAX];
    const uint32_t count = verdict_strides(evidence->n, strides);
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t from = 0; from < evidence->n; from++) {
            (void)link_of(evidence, from, (from + strides[k]) % evidence->n);
        }
    }
}

// What a rank did not hear did not come over the link to it. What was heard and is not acknowledged got lost on the way
// back, which the answering rank's own report says: so only the link of the answer is to blame.
static void note_ping(Leader *leader, uint32_t rank, const Report *report) {
    Evidence *evidence = &leader->evidence;
    const uint32_t n = evidence->n;
    const uint32_t all = UINT32_MAX >> (32 - evidence->lane_count);
    const uint32_t before = (rank + n - leader->go.stride) % n;
    link_of(evidence, before, rank)->broken_lanes |= all & ~report->heard_lanes;
}

static void note_answers(Leader *leader) {
    Evidence *evidence = &leader->evidence;
    const uint32_t n = evidence->n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t after = (i + leader->go.stride) % n;
        const RankEvidence *caller = &evidence->ranks[i];
        const RankEvidence *answerer = &evidence->ranks[after];
        if (caller->has_report && answerer->has_report) {
            const uint32_t lost = answerer->report.heard_lanes & ~caller->report.acknowledged_lanes;
            if (lost != 0) {
                link_of(evidence, after, i)->broken_lanes |= lost;
            }
        }
    }
}

static void note_done(Leader *leader, Seat *seat, const Report *report) {
    const uint32_t rank = (uint32_t)(seat - leader->seats);
    RankEvidence *evidence = rank_of(leader, seat);
    if (report->serial != leader->go.serial || !seat->is_awaited) {
        return;
    }
    seat->is_awaited = false;
    evidence->has_report = true;
    evidence->report = *report;
    if (report->phase == PHASE_PING) {
        note_ping(leader, rank, report);
    } else if (report->phase == PHASE_LINK) {
        LinkEvidence *link = link_of(&leader->evidence, leader->go.from, leader->go.to);
        if (report->outcome != OUTCOME_DONE) {
            link->has_failed = true;
        } else if (rank == leader->go.from) {
            link->is_measured = true;
            for (uint32_t i = 0; i < LANES_MAX; i++) {
                // Noise only slows: of two measurements the faster is the better one.
                link->mbps[i] = report->mbps[i] > link->mbps[i] ? report->mbps[i] : link->mbps[i];
            }
        }
    } else {
        leader->has_trouble |= report->outcome != OUTCOME_DONE;
    }
}

static void hear_rank(Leader *leader, Seat *seat, const Message *message) {
    const uint32_t rank = (uint32_t)(seat - leader->seats);
    RankEvidence *evidence = rank_of(leader, seat);
    if (!token_equal(&message->token, &leader->job->token) || message->rank != rank) {
        lose(leader, seat);
        return;
    }
    switch (message->kind) {
    case MESSAGE_LANE:
        if (seat->lanes_known < evidence->join.lane_count && message->as.lane.lane == seat->lanes_known) {
            leader->addresses[rank][seat->lanes_known] = message->as.lane;
            leader->addresses[rank][seat->lanes_known].rank = rank;
            text_into(evidence->lane_names[seat->lanes_known], LANE_NAME_BYTES, "%s", message->as.lane.name);
            seat->lanes_known++;
        }
        break;
    case MESSAGE_DONE:
        note_done(leader, seat, &message->as.report);
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
        lose(leader, seat);
        break;
    }
}

static void hear_seat(Leader *leader, Seat *seat) {
    Message message;
    Received received = RECEIVED_MESSAGE;
    while (seat->inbox.fd >= 0 && received == RECEIVED_MESSAGE) {
        received = inbox_take(&seat->inbox, &message);
        if (received == RECEIVED_MESSAGE) {
            hear_rank(leader, seat, &message);
        } else if (received != RECEIVED_NOTHING) {
            lose(leader, seat);
        }
    }
}

// Waits for a while at most and hears whoever has something to say.
static void tick(Leader *leader, uint64_t deadline_ns) {
    struct pollfd waited[1 + RANKS_MAX + STRANGERS_MAX];
    nfds_t count = 0;
    waited[count++] = (struct pollfd){ .fd = leader->listener, .events = POLLIN };
    for (uint32_t i = 0; i < leader->job->n; i++) {
        waited[count++] = (struct pollfd){ .fd = leader->seats[i].inbox.fd, .events = POLLIN };
    }
    for (uint32_t i = 0; i < STRANGERS_MAX; i++) {
        waited[count++] = (struct pollfd){ .fd = leader->strangers[i].inbox.fd, .events = POLLIN };
    }
    (void)poll(waited, count, clock_left_ms(deadline_ns, TICK_MS));
    admit(leader);
    for (uint32_t i = 0; i < STRANGERS_MAX; i++) {
        if (leader->strangers[i].inbox.fd >= 0) {
            hear_stranger(leader, &leader->strangers[i]);
        }
    }
    for (uint32_t i = 0; i < leader->job->n; i++) {
        hear_seat(leader, &leader->seats[i]);
    }
    if (clock_ns() >= leader->next_beat_ns) {
        leader->next_beat_ns = clock_ns() + (uint64_t)BEAT_MS * NS_PER_MS;
        Message beat = { .kind = MESSAGE_BEAT };
        say_to_all(leader, &beat);
    }
}

// ---- the run

static bool is_complete(const Leader *leader) {
    for (uint32_t i = 0; i < leader->job->n; i++) {
        const RankEvidence *rank = &leader->evidence.ranks[i];
        if (rank->presence != PRESENCE_JOINED || leader->seats[i].lanes_known < rank->join.lane_count) {
            return false;
        }
    }
    return true;
}

// True where all have come, with as many lanes each.
static bool gather(Leader *leader) {
    const uint64_t deadline = clock_ns() + (uint64_t)leader->job->rendezvous_s * NS_PER_S;
    leader->is_gathering = true;
    while (!is_complete(leader) && clock_ns() < deadline) {
        tick(leader, deadline);
    }
    leader->is_gathering = false;
    Evidence *evidence = &leader->evidence;
    uint32_t fewest = LANES_MAX;
    for (uint32_t i = 0; i < evidence->n; i++) {
        const uint32_t count = evidence->ranks[i].join.lane_count;
        evidence->lane_count = count > evidence->lane_count ? count : evidence->lane_count;
        fewest = count < fewest ? count : fewest;
    }
    return is_complete(leader) && fewest > 0 && fewest == evidence->lane_count;
}

// Tells each rank of those that it will talk to, both ways.
static void introduce(Leader *leader) {
    const uint32_t n = leader->job->n;
    uint32_t strides[STRIDES_MAX];
    const uint32_t count = verdict_strides(n, strides);
    for (uint32_t i = 0; i < n; i++) {
        bool is_known[RANKS_MAX] = { false };
        for (uint32_t k = 0; k < count; k++) {
            is_known[(i + strides[k]) % n] = true;
            is_known[(i + n - strides[k]) % n] = true;
        }
        for (uint32_t peer = 0; peer < n; peer++) {
            for (uint32_t lane = 0; is_known[peer] && lane < leader->evidence.lane_count; lane++) {
                Message message = { .kind = MESSAGE_LANE, .as.lane = leader->addresses[peer][lane] };
                say(leader, &leader->seats[i], &message);
            }
        }
    }
}

static uint32_t count_awaited(const Leader *leader) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < leader->job->n; i++) {
        count += leader->seats[i].is_awaited && leader->seats[i].inbox.fd >= 0;
    }
    return count;
}

// Hands a step to the ranks whose bit is set in `who` and waits until they are done, something is wrong, or `limit_ms`
// have passed. False where the run cannot go on.
static bool do_step(Leader *leader, Go go, uint64_t who, uint64_t limit_ms) {
    go.serial = ++leader->serial;
    leader->go = go;
    Message message = { .kind = MESSAGE_GO, .as.go = go };
    for (uint32_t i = 0; i < leader->job->n; i++) {
        leader->seats[i].is_awaited = (who >> i & 1) != 0;
        if (leader->seats[i].is_awaited) {
            leader->evidence.ranks[i].has_report = false;
            say(leader, &leader->seats[i], &message);
        }
    }
    uint64_t deadline = clock_ns() + limit_ms * NS_PER_MS;
    const uint32_t asked = count_awaited(leader);
    while (count_awaited(leader) > 0 && !leader->has_trouble && clock_ns() < deadline) {
        tick(leader, deadline);
        // One end of a link has given up: the other one gives up in as long as one operation takes.
        if (go.phase == PHASE_LINK && count_awaited(leader) < asked) {
            const uint64_t soon = clock_ns() + (leader->job->op_s * MS_PER_S / 2 + SLACK_MS) * (uint64_t)NS_PER_MS;
            deadline = soon < deadline ? soon : deadline;
        }
    }
    leader->has_trouble |= count_awaited(leader) > 0;
    return !leader->has_trouble;
}

static uint64_t everybody(const Leader *leader) {
    return UINT64_MAX >> (64 - leader->job->n);
}

static uint64_t op_ms(const Leader *leader) {
    return (uint64_t)leader->job->op_s * MS_PER_S;
}

// True where all were heard.
static bool run_pings(Leader *leader) {
    uint32_t strides[STRIDES_MAX];
    const uint32_t count = verdict_strides(leader->job->n, strides);
    for (uint32_t k = 0; k < count; k++) {
        const Go go = { .phase = PHASE_PING, .stride = strides[k] };
        if (!do_step(leader, go, everybody(leader), op_ms(leader) / 2 + SLACK_MS)) {
            return false;
        }
        note_answers(leader);
    }
    for (uint32_t i = 0; i < leader->evidence.link_count; i++) {
        if (leader->evidence.links[i].broken_lanes != 0) {
            return false;
        }
    }
    return true;
}

static bool measure(Leader *leader, uint32_t from, uint32_t to, uint32_t least_ms) {
    const Go go = { .phase = PHASE_LINK, .from = from, .to = to, .least_ms = least_ms };
    const uint64_t limit = leader->evidence.lane_count * (op_ms(leader) / 2 + SLACK_MS) + SLACK_MS;
    return do_step(leader, go, UINT64_C(1) << from | UINT64_C(1) << to, limit);
}

static bool is_bad(const Evidence *evidence, const LinkEvidence *link) {
    bool is_slow = link->has_failed;
    for (uint32_t lane = 0; lane < evidence->lane_count; lane++) {
        is_slow |= verdict_is_slow(evidence, link, lane);
    }
    return is_slow;
}

static uint32_t count_bad(const Evidence *evidence) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        count += is_bad(evidence, &evidence->links[i]);
    }
    return count;
}

// Measures those links again that look slow, for as long as there is time.
static bool measure_again(Leader *leader, uint64_t deadline_ns) {
    const Evidence *evidence = &leader->evidence;
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        const LinkEvidence *link = &evidence->links[i];
        if (!link->has_failed && is_bad(evidence, link) && clock_ns() < deadline_ns &&
            !measure(leader, link->from, link->to, RETRIAL_MS)) {
            return false;
        }
    }
    return true;
}

// True where no link is slow.
static bool run_links(Leader *leader) {
    const uint32_t n = leader->job->n;
    uint32_t strides[STRIDES_MAX];
    const uint32_t count = verdict_strides(n, strides);
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t from = 0; from < n; from++) {
            if (!measure(leader, from, (from + strides[k]) % n, 0)) {
                return false;
            }
        }
    }
    const uint64_t deadline = clock_ns() + 2 * op_ms(leader) * NS_PER_MS;
    for (uint32_t i = 0; i < RETRIALS && count_bad(&leader->evidence) > 0; i++) {
        if (!measure_again(leader, deadline)) {
            return false;
        }
    }
    return count_bad(&leader->evidence) == 0;
}

static bool run_ring(Leader *leader, Phase phase, uint32_t iterations) {
    const Go go = { .phase = phase, .iterations = iterations };
    return do_step(leader, go, everybody(leader), op_ms(leader) * iterations + SLACK_MS);
}

static void note_times(Leader *leader, uint32_t iterations) {
    Evidence *evidence = &leader->evidence;
    for (uint32_t i = 0; i < evidence->n; i++) {
        const Report *report = &evidence->ranks[i].report;
        const uint64_t mean = report->total_ns / iterations;
        evidence->mean_ns = mean > evidence->mean_ns ? mean : evidence->mean_ns;
        evidence->best_ns = report->best_ns > evidence->best_ns ? report->best_ns : evidence->best_ns;
    }
}

static bool run_phase(Leader *leader, Phase phase) {
    const uint32_t iterations = leader->job->iterations;
    switch (phase) {
    case PHASE_PING:
        return run_pings(leader);
    case PHASE_LINK:
        return run_links(leader);
    case PHASE_EXACT:
    case PHASE_DEVICE:
        return run_ring(leader, phase, 1);
    case PHASE_TIMED:
        if (!run_ring(leader, phase, iterations)) {
            return false;
        }
        note_times(leader, iterations);
        return true;
    case PHASES:
        break;
    }
    return false;
}

static bool run_phases(Leader *leader) {
    for (uint32_t phase = 0; phase < PHASES; phase++) {
        if ((leader->job->phases >> phase & 1) != 0) {
            if (!run_phase(leader, (Phase)phase)) {
                return false;
            }
            leader->is_phase_done[phase] = true;
        }
    }
    return true;
}

// Asks everybody how far they were, also those who have said so: who cannot hear the question is not whole.
static void stop_all(Leader *leader) {
    Message stop = { .kind = MESSAGE_STOP };
    for (uint32_t i = 0; i < leader->job->n; i++) {
        leader->seats[i].is_awaited = leader->seats[i].inbox.fd >= 0;
    }
    say_to_all(leader, &stop);
    const uint64_t deadline = clock_ns() + (uint64_t)GRACE_MS * NS_PER_MS;
    while (count_awaited(leader) > 0 && clock_ns() < deadline) {
        tick(leader, deadline);
    }
    for (uint32_t i = 0; i < leader->job->n; i++) {
        if (leader->seats[i].is_awaited && leader->seats[i].inbox.fd >= 0) {
            leader->evidence.ranks[i].presence = PRESENCE_SILENT;
        }
    }
}

static void announce(Leader *leader, const Verdict *verdict, const char *text) {
    const size_t len = strlen(text);
    for (size_t at = 0; at < len; at += PIECE_BYTES - 1) {
        Message piece = { .kind = MESSAGE_PIECE };
        text_into(piece.as.text, sizeof piece.as.text, "%.*s", PIECE_BYTES - 1, text + at);
        say_to_all(leader, &piece);
    }
    for (uint32_t i = 0; i < leader->job->n; i++) {
        Message end = { .kind = MESSAGE_END, .as.exit_code = (uint32_t)verdict_exit_code(verdict, i) };
        say(leader, &leader->seats[i], &end);
    }
    const uint64_t deadline = clock_ns() + (uint64_t)FAREWELL_MS * NS_PER_MS;
    for (;;) {
        uint32_t left = 0;
        for (uint32_t i = 0; i < leader->job->n; i++) {
            left += leader->seats[i].inbox.fd >= 0;
        }
        if (left == 0 || clock_ns() >= deadline) {
            return;
        }
        tick(leader, deadline);
    }
}

int leader_run(const Job *job, int listener) {
    Leader *leader = calloc(1, sizeof *leader);
    Verdict *verdict = calloc(1, sizeof *verdict);
    char *room = calloc(1, NODE_VERDICT_BYTES_MAX);
    if (leader == NULL || verdict == NULL || room == NULL) {
        return NODE_EXIT_INTERNAL;
    }
    const uint64_t start = clock_ns();
    leader->job = job;
    leader->listener = listener;
    leader->evidence = (Evidence){ .n = job->n,
                                   .bytes = job->bytes,
                                   .link_floor_mbps = job->link_floor_gbps * 1000,
                                   .bus_floor_mbps = job->bus_floor_gbps * 1000 };
    for (uint32_t i = 0; i < RANKS_MAX; i++) {
        leader->seats[i].inbox.fd = -1;
    }
    for (uint32_t i = 0; i < STRANGERS_MAX; i++) {
        leader->strangers[i].inbox.fd = -1;
    }
    list_links(&leader->evidence);
    bool is_well = gather(leader);
    if (is_well) {
        introduce(leader);
        is_well = run_phases(leader);
    }
    leader->evidence.has_ended_early = !is_well;
    if (!is_well) {
        stop_all(leader);
    }
    verdict_judge(&leader->evidence, verdict);
    Text text = { .data = room, .size = NODE_VERDICT_BYTES_MAX };
    outcome_write(&text, job, &leader->evidence, verdict, leader->is_phase_done, (clock_ns() - start) / NS_PER_MS);
    announce(leader, verdict, room);
    return verdict->has_passed ? NODE_EXIT_PASS : NODE_EXIT_FAIL;
}
