// Hands out steps and waits for them. If a step fails, the leader tells all ranks to stop and to say how far they were.
// It names nobody before it has all those answers, or knows which are missing.
#include "stdlib/node/collective/leader.h"

#include "stdlib/node/collective/clock.h"
#include "stdlib/node/collective/links.h"
#include "stdlib/node/collective/outcome.h"
#include "stdlib/node/collective/seats.h"
#include "stdlib/node/collective/step.h"
#include "stdlib/node/collective/verdict.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    GRACE_MS = 2000, // for an answer to STOP
    TICK_MS = 100,   // between two looks at how long it has waited for a processor
    SLACK_MS = 1000, // beyond the time that a rank gives its own operation
    PING_ATTEMPTS = 2,
    // A link that looks slow is measured again before it counts as that, each time for so long: eight samples of a fast
    // link are over in the time that a busy machine takes a process away.
    RETRIALS = 8,
    LOW_RETRIALS = 2, // of one that is only low
    RETRIAL_MS = 250,
    FAREWELL_MS = 1000, // until ranks have hung up after the verdict
};

typedef struct Leader {
    Seats seats;
    pid_t parent;    // the rank beside which it runs
    uint32_t serial; // of the last step
    bool is_phase_done[PHASES];
} Leader;

// Its rank is gone, and so are all others: nobody is left to be told, and the port is wanted for another job.
static bool is_forsaken(const Leader *leader) {
    return getppid() != leader->parent && seats_taken(&leader->seats) == 0;
}

// True where all have come, with as many lanes each.
static bool gather(Leader *leader) {
    const uint64_t deadline = clock_ns() + (uint64_t)leader->seats.job->rendezvous_s * NS_PER_S;
    while (!seats_are_complete(&leader->seats) && clock_ns() < deadline && !is_forsaken(leader)) {
        seats_tick(&leader->seats, deadline);
    }
    leader->seats.is_gathering = false;
    Evidence *evidence = &leader->seats.evidence;
    uint32_t fewest = LANES_MAX;
    for (uint32_t i = 0; i < evidence->n; i++) {
        const uint32_t count = evidence->ranks[i].join.lane_count;
        evidence->lane_count = count > evidence->lane_count ? count : evidence->lane_count;
        fewest = count < fewest ? count : fewest;
        const uint32_t gpus = evidence->ranks[i].join.gpu_count;
        evidence->gpu_count = gpus > evidence->gpu_count ? gpus : evidence->gpu_count;
    }
    bool have_all_gpus = true;
    for (uint32_t i = 0; i < evidence->n; i++) {
        have_all_gpus &= evidence->ranks[i].join.gpu_count == evidence->gpu_count;
    }
    return seats_are_complete(&leader->seats) && fewest > 0 && fewest == evidence->lane_count && have_all_gpus;
}

// Tells each rank of those that it will talk to, both ways.
static void introduce(Leader *leader) {
    const uint32_t n = leader->seats.job->n;
    uint32_t strides[STRIDES_MAX];
    const uint32_t count = evidence_strides(n, strides);
    for (uint32_t i = 0; i < n; i++) {
        bool is_known[RANKS_MAX] = { false };
        for (uint32_t k = 0; k < count; k++) {
            is_known[(i + strides[k]) % n] = true;
            is_known[(i + n - strides[k]) % n] = true;
        }
        for (uint32_t peer = 0; peer < n; peer++) {
            for (uint32_t lane = 0; is_known[peer] && lane < leader->seats.evidence.lane_count; lane++) {
                Message message = { .kind = MESSAGE_LANE, .as.lane = leader->seats.addresses[peer][lane] };
                seats_say(&leader->seats, i, &message);
            }
        }
    }
}

// Hands a step to the ranks whose bit is set in `who` and waits until they are done, something is wrong, or `limit_ms`
// have passed. False where the run cannot go on.
static bool do_step(Leader *leader, Go go, uint64_t who, uint64_t limit_ms) {
    go.serial = ++leader->serial;
    leader->seats.go = go;
    Message message = { .kind = MESSAGE_GO, .as.go = go };
    for (uint32_t i = 0; i < leader->seats.job->n; i++) {
        leader->seats.ranks[i].is_awaited = (who >> i & 1) != 0;
        if (leader->seats.ranks[i].is_awaited) {
            leader->seats.evidence.ranks[i].has_report = false;
            seats_say(&leader->seats, i, &message);
        }
    }
    uint64_t deadline = clock_ns() + limit_ms * NS_PER_MS;
    const uint32_t asked = seats_awaited(&leader->seats);
    while (seats_awaited(&leader->seats) > 0 && !leader->seats.has_trouble && clock_ns() < deadline) {
        seats_tick(&leader->seats, deadline);
        // One end of a link has given up: the other one gives up in as long as one operation takes.
        if (go.phase == PHASE_LINK && seats_awaited(&leader->seats) < asked) {
            const uint64_t soon =
                clock_ns() + (leader->seats.job->op_s * MS_PER_S / 2 + SLACK_MS) * (uint64_t)NS_PER_MS;
            deadline = soon < deadline ? soon : deadline;
        }
    }
    leader->seats.has_trouble |= seats_awaited(&leader->seats) > 0;
    return !leader->seats.has_trouble;
}

static uint64_t everybody(const Leader *leader) {
    return UINT64_MAX >> (64 - leader->seats.job->n);
}

static uint64_t op_ms(const Leader *leader) {
    return (uint64_t)leader->seats.job->op_s * MS_PER_S;
}

static bool has_broken_link(const Evidence *evidence) {
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        if (evidence->links[i].broken_lanes != 0) {
            return true;
        }
    }
    return false;
}

// False where the run cannot go on, which a ping that is not heard is no reason for.
static bool ping_all(Leader *leader) {
    uint32_t strides[STRIDES_MAX];
    const uint32_t count = evidence_strides(leader->seats.job->n, strides);
    for (uint32_t k = 0; k < count; k++) {
        const Go go = { .phase = PHASE_PING, .stride = strides[k] };
        if (!do_step(leader, go, everybody(leader), op_ms(leader) / 2 + SLACK_MS)) {
            return false;
        }
        evidence_note_answers(&leader->seats.evidence, &leader->seats.go);
    }
    return true;
}

// True where all were heard, at the first or the second attempt: on a busy machine a process may be late once.
static bool run_pings(Leader *leader) {
    Evidence *evidence = &leader->seats.evidence;
    for (uint32_t attempt = 0; attempt < PING_ATTEMPTS; attempt++) {
        for (uint32_t i = 0; i < evidence->link_count; i++) {
            evidence->links[i].broken_lanes = 0;
        }
        if (!ping_all(leader)) {
            return false;
        }
        if (!has_broken_link(evidence)) {
            return true;
        }
    }
    return false;
}

static bool measure(Leader *leader, uint32_t from, uint32_t to, uint32_t least_ms) {
    const Go go = { .phase = PHASE_LINK, .from = from, .to = to, .least_ms = least_ms };
    const uint64_t limit = leader->seats.evidence.lane_count * (op_ms(leader) / 2 + SLACK_MS) + SLACK_MS;
    return do_step(leader, go, UINT64_C(1) << from | UINT64_C(1) << to, limit);
}

// Those that may be bad, also where nobody knows since the processors were the limit: one more measurement may tell.
static uint32_t count_bad(const Evidence *evidence, LinkGrade least) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        count += evidence->links[i].has_failed || links_worst(evidence, &evidence->links[i]) >= least;
    }
    return count;
}

// Measures those links again that have a grade, for as long as there is time.
static bool measure_again(Leader *leader, LinkGrade grade, uint64_t deadline_ns) {
    const Evidence *evidence = &leader->seats.evidence;
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        const LinkEvidence *link = &evidence->links[i];
        if (!link->has_failed && links_worst(evidence, link) == grade && clock_ns() < deadline_ns &&
            !measure(leader, link->from, link->to, RETRIAL_MS)) {
            return false;
        }
    }
    return true;
}

// First those that would fail the run: there may be time for no others.
static bool retry_links(Leader *leader) {
    const Evidence *evidence = &leader->seats.evidence;
    const uint64_t deadline = clock_ns() + 2 * op_ms(leader) * NS_PER_MS;
    for (uint32_t i = 0; i < RETRIALS && count_bad(evidence, LINK_SLOW) > 0; i++) {
        if (!measure_again(leader, LINK_SLOW, deadline)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < LOW_RETRIALS && count_bad(evidence, LINK_LOW) > 0; i++) {
        if (!measure_again(leader, LINK_LOW, deadline)) {
            return false;
        }
    }
    return true;
}

static bool is_any_judged_slow(const Evidence *evidence) {
    bool is_any = false;
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        is_any |= evidence->links[i].has_failed || links_judged(evidence, &evidence->links[i]) == LINK_SLOW;
    }
    return is_any;
}

// True where no link is known to be slow.
static bool run_links(Leader *leader) {
    const uint32_t n = leader->seats.job->n;
    uint32_t strides[STRIDES_MAX];
    const uint32_t count = evidence_strides(n, strides);
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t from = 0; from < n; from++) {
            if (!measure(leader, from, (from + strides[k]) % n, 0)) {
                return false;
            }
        }
    }
    return retry_links(leader) && !is_any_judged_slow(&leader->seats.evidence);
}

static bool run_ring(Leader *leader, Phase phase, uint32_t iterations) {
    const Go go = { .phase = phase, .iterations = iterations };
    return do_step(leader, go, everybody(leader), op_ms(leader) * iterations + SLACK_MS) &&
           !evidence_has_wrong_sum(&leader->seats.evidence);
}

static bool run_phase(Leader *leader, Phase phase) {
    const uint32_t iterations = leader->seats.job->iterations;
    switch (phase) {
    case PHASE_PING:
        return run_pings(leader);
    case PHASE_LINK:
        return run_links(leader);
    case PHASE_EXACT:
        return run_ring(leader, phase, 1);
    case PHASE_DEVICE:
        return run_ring(leader, phase, leader->seats.evidence.gpu_count);
    case PHASE_TIMED:
        if (!run_ring(leader, phase, iterations)) {
            return false;
        }
        evidence_note_times(&leader->seats.evidence, iterations);
        return true;
    case PHASES:
        break;
    }
    return false;
}

// Links that are only slow carry a ring all the same, and what else is wrong shows in the same run.
static bool is_slow_at_most(const Leader *leader, Phase phase) {
    bool has_failed = false;
    for (uint32_t i = 0; i < leader->seats.evidence.link_count; i++) {
        has_failed |= leader->seats.evidence.links[i].has_failed;
    }
    return phase == PHASE_LINK && !has_failed && !leader->seats.has_trouble;
}

static bool run_phases(Leader *leader) {
    bool is_well = true;
    for (uint32_t phase = 0; phase < PHASES; phase++) {
        const bool is_wanted = (leader->seats.job->phases >> phase & 1) != 0;
        if (is_wanted && (is_well || phase != PHASE_TIMED)) {
            leader->is_phase_done[phase] = run_phase(leader, (Phase)phase);
            is_well &= leader->is_phase_done[phase];
            if (!leader->is_phase_done[phase] && !is_slow_at_most(leader, (Phase)phase)) {
                return false;
            }
        }
    }
    return is_well;
}

// Asks everybody how far they were, also those who have said so: who cannot hear the question is not whole.
static void stop_all(Leader *leader) {
    Message stop = { .kind = MESSAGE_STOP };
    leader->seats.is_stopping = true;
    for (uint32_t i = 0; i < leader->seats.job->n; i++) {
        leader->seats.ranks[i].is_awaited = leader->seats.ranks[i].inbox.fd >= 0;
    }
    seats_say_to_all(&leader->seats, &stop);
    // Where the leader itself waits for a processor, others do.
    const uint64_t waited = clock_waited_ns();
    const uint64_t deadline = clock_ns() + (uint64_t)GRACE_MS * NS_PER_MS;
    while (seats_awaited(&leader->seats) > 0 && clock_ns() < deadline + 2 * (clock_waited_ns() - waited)) {
        seats_tick(&leader->seats, clock_ns() + (uint64_t)TICK_MS * NS_PER_MS);
    }
    for (uint32_t i = 0; i < leader->seats.job->n; i++) {
        if (leader->seats.ranks[i].is_awaited && leader->seats.ranks[i].inbox.fd >= 0) {
            leader->seats.evidence.ranks[i].presence = PRESENCE_SILENT;
        }
    }
}

static void announce(Leader *leader, const Verdict *verdict, const char *text) {
    const size_t len = strlen(text);
    for (size_t at = 0; at < len; at += PIECE_BYTES - 1) {
        Message piece = { .kind = MESSAGE_PIECE };
        text_into(piece.as.text, sizeof piece.as.text, "%.*s", PIECE_BYTES - 1, text + at);
        seats_say_to_all(&leader->seats, &piece);
    }
    for (uint32_t i = 0; i < leader->seats.job->n; i++) {
        Message end = { .kind = MESSAGE_END, .as.exit_code = (uint32_t)verdict_exit_code(verdict, i) };
        seats_say(&leader->seats, i, &end);
    }
    const uint64_t deadline = clock_ns() + (uint64_t)FAREWELL_MS * NS_PER_MS;
    while (seats_taken(&leader->seats) > 0 && clock_ns() < deadline) {
        seats_tick(&leader->seats, deadline);
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
    leader->parent = getppid();
    seats_begin(&leader->seats, job, listener);
    leader->seats.evidence = (Evidence){ .n = job->n,
                                         .leader_rank = job->leader_rank,
                                         .bytes = step_ring_bytes(job->bytes, job->n),
                                         .link_floor_mbps = job->link_floor_gbps * 1000,
                                         .link_warn_mbps = job->link_warn_gbps * 1000,
                                         .bus_floor_mbps = job->bus_floor_gbps * 1000 };
    evidence_list_links(&leader->seats.evidence);
    bool is_well = gather(leader);
    if (is_well) {
        introduce(leader);
        is_well = run_phases(leader);
    }
    leader->seats.evidence.has_ended_early = !is_well;
    if (!is_well) {
        stop_all(leader);
    }
    verdict_judge(&leader->seats.evidence, verdict);
    Text text = { .data = room, .size = NODE_VERDICT_BYTES_MAX };
    outcome_write(&text, job, &leader->seats.evidence, verdict, leader->is_phase_done,
                  (clock_ns() - start) / NS_PER_MS);
    announce(leader, verdict, room);
    return verdict->has_passed ? NODE_EXIT_PASS : NODE_EXIT_FAIL;
}
