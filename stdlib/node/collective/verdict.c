// From evidence to names, in the order of how sure each kind is: who could not start or did not come; who was lost or
// fell silent; who sent wrong sums; which links are bad, and whose end they share; where the ring stood still first, if
// nothing else is known. The first failure that was *reported* plays no part: it is rarely the cause.
#include "stdlib/node/collective/verdict.h"

#include "stdlib/node/collective/counters.h"
#include "stdlib/node/collective/links.h"
#include "stdlib/node/collective/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    REASON_SHOWN = REASON_BYTES / 2, // beside words of our own
    COUNT_BYTES = 24,
};

uint64_t verdict_bus_mbps(uint64_t bytes, uint32_t n, uint64_t ns) {
    return ns == 0 ? 0 : (uint64_t)((double)bytes * 8.0 * 2.0 * (n - 1) / n * 1000.0 / (double)ns);
}

void verdict_blame(Verdict *verdict, uint32_t rank, const char *format, ...) {
    for (uint32_t i = 0; i < verdict->culprit_count; i++) {
        if (verdict->culprits[i].rank == rank) {
            return; // the surer reason came first
        }
    }
    if (verdict->culprit_count == CULPRITS_MAX) {
        return;
    }
    Culprit *culprit = &verdict->culprits[verdict->culprit_count++];
    culprit->rank = rank;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(culprit->why, sizeof culprit->why, format, arguments);
    va_end(arguments);
}

void verdict_warn(Verdict *verdict, uint32_t rank, const char *format, ...) {
    if (verdict->warning_count == WARNINGS_MAX) {
        return;
    }
    Warning *warning = &verdict->warnings[verdict->warning_count++];
    warning->rank = rank;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(warning->why, sizeof warning->why, format, arguments);
    va_end(arguments);
}

void verdict_suspect(Verdict *verdict, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < verdict->suspect_count; i++) {
        if (verdict->suspects[i].from == from && verdict->suspects[i].to == to) {
            return;
        }
    }
    if (verdict->suspect_count < LINKS_MAX) {
        verdict->suspects[verdict->suspect_count++] = (Suspect){ .from = from, .to = to };
    }
}

bool verdict_names(const Verdict *verdict, const LinkEvidence *link) {
    bool is_named = false;
    for (uint32_t i = 0; i < verdict->culprit_count; i++) {
        is_named |= verdict->culprits[i].rank == link->from || verdict->culprits[i].rank == link->to;
    }
    for (uint32_t i = 0; i < verdict->suspect_count; i++) {
        is_named |= verdict->suspects[i].from == link->from && verdict->suspects[i].to == link->to;
    }
    return is_named;
}

// ---- who could not start, did not come, or went away

// Several that came, none with an interface: an image without libfabric, a provider that is not there, a limit that the
// job set. That is the job's fault, and to name its nodes would have all of them replaced.
static bool is_fault_of_job(const Evidence *evidence) {
    uint32_t came = 0;
    for (uint32_t i = 0; i < evidence->n; i++) {
        came += evidence->ranks[i].presence != PRESENCE_ABSENT;
    }
    return came > 1 && evidence->lane_count == 0;
}

// A rank that did not join may be one that was refused: the launcher gave it another token or number than the others,
// or two jobs have one leader. That is no fault of a node.
static void judge_refusals(const Evidence *evidence, Verdict *verdict) {
    const Refusal *refusal = &evidence->refusals[0];
    for (uint32_t i = 0; i < evidence->n && evidence->refusal_count > 0; i++) {
        if (evidence->ranks[i].presence == PRESENCE_ABSENT) {
            text_into(verdict->abort, sizeof verdict->abort, "rank %u did not join; %.40s came as rank %u: %.100s", i,
                      refusal->address, refusal->rank, refusal->why);
            return;
        }
    }
}

static void judge_start(const Evidence *evidence, Verdict *verdict) {
    const bool is_of_job = is_fault_of_job(evidence);
    judge_refusals(evidence, verdict);
    for (uint32_t i = 0; i < evidence->n; i++) {
        const RankEvidence *rank = &evidence->ranks[i];
        if (rank->presence == PRESENCE_ABSENT) {
            if (evidence->refusal_count == 0) {
                verdict_blame(verdict, i, "absent: did not join");
            }
        } else if (is_of_job) {
            text_into(verdict->abort, sizeof verdict->abort, "no rank has an interface: %.*s", REASON_SHOWN,
                      rank->join.reason);
        } else if (rank->join.lane_count == 0) {
            verdict_blame(verdict, i, "%s", rank->join.reason);
        } else if (rank->join.lane_count < evidence->lane_count) {
            verdict_blame(verdict, i, "has %u interfaces where others have %u", rank->join.lane_count,
                          evidence->lane_count);
        } else if (rank->join.gpu_count < evidence->gpu_count) {
            verdict_blame(verdict, i, "has %u GPUs where others have %u", rank->join.gpu_count, evidence->gpu_count);
        }
    }
}

static void judge_presence(const Evidence *evidence, Verdict *verdict) {
    uint32_t gone = 0;
    for (uint32_t i = 0; i < evidence->n; i++) {
        gone += evidence->ranks[i].presence == PRESENCE_LOST || evidence->ranks[i].presence == PRESENCE_SILENT;
    }
    // One that sees nobody else is itself the one that nobody sees.
    const bool has_own = evidence->ranks[evidence->leader_rank].presence == PRESENCE_JOINED;
    if (evidence->n > 2 && gone == evidence->n - 1 && has_own) {
        verdict_blame(verdict, evidence->leader_rank, "cut off: the leader there has lost every other rank");
        return;
    }
    for (uint32_t i = 0; i < evidence->n; i++) {
        if (evidence->ranks[i].presence == PRESENCE_LOST) {
            verdict_blame(verdict, i, "connection lost");
        } else if (evidence->ranks[i].presence == PRESENCE_SILENT) {
            verdict_blame(verdict, i, "no report: hangs, or is cut off");
        }
    }
}

// ---- wrong sums

// Who receives one mends it, so that each accuses the rank before it and no rank further back.
static void judge_sums(const Evidence *evidence, Verdict *verdict) {
    for (uint32_t i = 0; i < evidence->n; i++) {
        const Report *report = &evidence->ranks[i].report;
        if (evidence->ranks[i].has_report && report->wrong_count > 0) {
            char count[COUNT_BYTES] = "a";
            if (report->wrong_count > 1) {
                text_into(count, sizeof count, "%u times a", report->wrong_count);
            }
            const bool is_device = report->phase == PHASE_DEVICE;
            verdict_blame(verdict, report->wrong_peer, "sent %s wrong %s %u, step %u, received by rank %u", count,
                          is_device ? "chunk: GPU" : "partial sum: all-reduce", report->wrong_iteration,
                          report->wrong_step, i);
        }
    }
}

// ---- where a ring stood still

static uint64_t moment(const Report *report) {
    return (uint64_t)report->iteration << 32 | report->step;
}

// The rank that got least far is nearest to the cause, and what it waited for is a link: which end of it, nobody saw.
static void judge_standstill(const Evidence *evidence, Verdict *verdict) {
    uint64_t earliest = UINT64_MAX;
    for (uint32_t i = 0; i < evidence->n; i++) {
        const RankEvidence *rank = &evidence->ranks[i];
        if (rank->has_report && rank->report.stuck != STUCK_NOWHERE && moment(&rank->report) < earliest) {
            earliest = moment(&rank->report);
        }
    }
    for (uint32_t i = 0; i < evidence->n; i++) {
        const Report *report = &evidence->ranks[i].report;
        if (evidence->ranks[i].has_report && report->stuck != STUCK_NOWHERE && moment(report) == earliest) {
            const bool is_in = report->stuck == STUCK_RECEIVING;
            verdict_suspect(verdict, is_in ? report->peer : i, is_in ? i : report->peer);
        }
    }
}

static void judge_speed(const Evidence *evidence, Verdict *verdict) {
    const uint64_t bus = verdict_bus_mbps(evidence->bytes, evidence->n, evidence->mean_ns);
    if (evidence->mean_ns != 0 && bus < evidence->bus_floor_mbps) {
        verdict->has_passed = false;
        text_into(verdict->abort, sizeof verdict->abort, "bus bandwidth %llu Mb/s is below the floor of %u Mb/s",
                  (unsigned long long)bus, evidence->bus_floor_mbps);
    }
}

static void note_abort(const Evidence *evidence, Verdict *verdict) {
    static const char *const PHASE_NAMES[PHASES] = {
        [PHASE_PING] = "ping",
        [PHASE_LINK] = "link measurement",
        [PHASE_EXACT] = "exact all-reduce",
        [PHASE_TIMED] = "timed all-reduce",
        [PHASE_DEVICE] = "rotation of GPU memory",
    };
    static const char *const OUTCOME_NAMES[OUTCOMES] = {
        [OUTCOME_DONE] = "",
        [OUTCOME_STOPPED] = "",
        [OUTCOME_TIMED_OUT] = "timed out",
        [OUTCOME_WRONG] = "wrong sum",
        [OUTCOME_BROKEN] = "fabric error",
    };
    for (uint32_t i = 0; i < evidence->n && verdict->abort[0] == '\0'; i++) {
        const Report *report = &evidence->ranks[i].report;
        if (evidence->ranks[i].has_report && OUTCOME_NAMES[report->outcome][0] != '\0') {
            text_into(verdict->abort, sizeof verdict->abort, "%s: %s at rank %u%s%s", PHASE_NAMES[report->phase],
                      OUTCOME_NAMES[report->outcome], i, report->reason[0] == '\0' ? "" : ": ", report->reason);
        }
    }
}

void verdict_judge(const Evidence *evidence, Verdict *verdict) {
    *verdict = (Verdict){ 0 };
    judge_start(evidence, verdict);
    judge_presence(evidence, verdict);
    judge_sums(evidence, verdict);
    links_judge(evidence, verdict);
    if (verdict->culprit_count == 0 && verdict->suspect_count == 0) {
        judge_standstill(evidence, verdict);
    }
    verdict->has_passed = verdict->culprit_count == 0 && verdict->suspect_count == 0 && !evidence->has_ended_early;
    note_abort(evidence, verdict);
    judge_speed(evidence, verdict);
    links_warn(evidence, verdict);
    verdict->has_low_links = verdict->warning_count > 0;
    counters_warn(evidence, verdict);
}

int verdict_exit_code(const Verdict *verdict, uint32_t rank) {
    if (verdict->has_passed) {
        return NODE_EXIT_PASS;
    }
    for (uint32_t i = 0; i < verdict->culprit_count; i++) {
        if (verdict->culprits[i].rank == rank) {
            return NODE_EXIT_FAIL;
        }
    }
    return NODE_EXIT_OTHER;
}
