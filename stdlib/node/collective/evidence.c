// Files away what ranks report, by link and by rank. Noise only slows, so of several measurements of a link the fastest
// stays; of an all-reduce the slowest rank's time does, since all wait for that one.
#include "stdlib/node/collective/evidence.h"

#include "stdlib/node/collective/text.h"

#include <string.h>

uint32_t evidence_strides(uint32_t n, uint32_t strides[STRIDES_MAX]) {
    strides[0] = 1;
    strides[1] = 2;
    return n > 2 ? 2 : 1;
}

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

void evidence_list_links(Evidence *evidence) {
    uint32_t strides[STRIDES_MAX];
    const uint32_t count = evidence_strides(evidence->n, strides);
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t from = 0; from < evidence->n; from++) {
            (void)link_of(evidence, from, (from + strides[k]) % evidence->n);
        }
    }
}

// What a rank did not hear did not come over the link to it.
static void note_ping(Evidence *evidence, const Go *go, uint32_t rank, const Report *report) {
    const uint32_t all = UINT32_MAX >> (LANES_MAX - evidence->lane_count);
    const uint32_t before = (rank + evidence->n - go->stride) % evidence->n;
    link_of(evidence, before, rank)->broken_lanes |= all & ~report->heard_lanes;
}

// Waiting only slows: without it the rate would have been this at most.
static uint32_t without_waiting(uint32_t mbps, uint32_t waited_percent) {
    const uint64_t most = waited_percent < PERCENT ? (uint64_t)mbps * PERCENT / (PERCENT - waited_percent) : UINT32_MAX;
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

// Both ends have reported. Each measurement bounds what the link may carry.
static void note_possible(LinkEvidence *link) {
    for (uint32_t i = 0; i < LANES_MAX; i++) {
        const uint32_t most = without_waiting(link->last_mbps[i], link->waited_percent);
        const uint32_t before = link->possible_mbps[i];
        link->possible_mbps[i] = before == 0 || most < before ? most : before;
    }
}

// Which of the two ends reports first is open. The one that waited longer counts.
static void note_waiting(LinkEvidence *link, const Go *go, uint32_t rank, const Report *report) {
    const bool is_second = link->serial == go->serial;
    if (!is_second || report->waited_percent > link->waited_percent) {
        link->waited_percent = report->waited_percent;
        link->waited_rank = rank;
    }
    link->serial = go->serial;
    if (rank == go->from) {
        memcpy(link->last_mbps, report->mbps, sizeof link->last_mbps);
    }
    if (is_second) {
        note_possible(link);
    }
}

static void note_link(Evidence *evidence, const Go *go, uint32_t rank, const Report *report) {
    LinkEvidence *link = link_of(evidence, go->from, go->to);
    if (report->outcome != OUTCOME_DONE) {
        // One that was measured before is measured again because it looked slow: that is what it is.
        link->has_failed |= !link->is_measured;
        return;
    }
    note_waiting(link, go, rank, report);
    if (rank == go->from) {
        link->is_measured = true;
        for (uint32_t i = 0; i < LANES_MAX; i++) {
            link->mbps[i] = report->mbps[i] > link->mbps[i] ? report->mbps[i] : link->mbps[i];
        }
    }
}

bool evidence_note_step(Evidence *evidence, const Go *go, uint32_t rank, const Report *report) {
    evidence->ranks[rank].has_report = true;
    evidence->ranks[rank].report = *report;
    if (go->phase == PHASE_PING) {
        note_ping(evidence, go, rank, report);
        return true;
    }
    if (go->phase == PHASE_LINK) {
        note_link(evidence, go, rank, report);
        return true;
    }
    return report->outcome == OUTCOME_DONE || report->outcome == OUTCOME_WRONG;
}

bool evidence_has_wrong_sum(const Evidence *evidence) {
    bool is_wrong = false;
    for (uint32_t i = 0; i < evidence->n; i++) {
        is_wrong |= evidence->ranks[i].has_report && evidence->ranks[i].report.wrong_count > 0;
    }
    return is_wrong;
}

// What was heard and is not acknowledged got lost on the way back: only the link of the answer is to blame.
void evidence_note_answers(Evidence *evidence, const Go *go) {
    for (uint32_t i = 0; i < evidence->n; i++) {
        const uint32_t after = (i + go->stride) % evidence->n;
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

void evidence_note_times(Evidence *evidence, uint32_t iterations) {
    for (uint32_t i = 0; i < evidence->n; i++) {
        const Report *report = &evidence->ranks[i].report;
        const uint64_t mean = report->total_ns / iterations;
        evidence->mean_ns = mean > evidence->mean_ns ? mean : evidence->mean_ns;
        evidence->best_ns = report->best_ns > evidence->best_ns ? report->best_ns : evidence->best_ns;
    }
}

static bool is_of(const Refusal *refusal, uint32_t rank, const char *address) {
    return refusal->rank == rank && strcmp(refusal->address, address) == 0;
}

void evidence_note_refusal(Evidence *evidence, uint32_t rank, const char *address, const char *why) {
    for (uint32_t i = 0; i < evidence->refusal_count; i++) {
        if (is_of(&evidence->refusals[i], rank, address)) {
            return;
        }
    }
    if (evidence->refusal_count < REFUSALS_MAX) {
        Refusal *refusal = &evidence->refusals[evidence->refusal_count++];
        refusal->rank = rank;
        text_into(refusal->address, sizeof refusal->address, "%s", address);
        text_into(refusal->why, sizeof refusal->why, "%s", why);
    }
}

void evidence_forget_refusals(Evidence *evidence, uint32_t rank, const char *address) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < evidence->refusal_count; i++) {
        if (!is_of(&evidence->refusals[i], rank, address)) {
            evidence->refusals[kept++] = evidence->refusals[i];
        }
    }
    evidence->refusal_count = kept;
}
