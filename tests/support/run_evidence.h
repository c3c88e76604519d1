// What a leader of dtc-collective has seen, for tests of its judgement.
#pragma once

#include "stdlib/node/collective/verdict.h"

#include "tests/support/check.h"

enum { RATE = 1000 };

// A run of `n` ranks in which all went well: each link was measured at RATE.
static inline Evidence *a_run(uint32_t n) {
    Evidence *evidence = calloc(1, sizeof *evidence);
    evidence->n = n;
    evidence->lane_count = 1;
    evidence_list_links(evidence);
    for (uint32_t i = 0; i < n; i++) {
        evidence->ranks[i].presence = PRESENCE_JOINED;
        evidence->ranks[i].join.lane_count = 1;
        evidence->ranks[i].has_report = true;
    }
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        evidence->links[i].is_measured = true;
        evidence->links[i].mbps[0] = RATE;
    }
    return evidence;
}

static inline Verdict judged(Evidence *evidence) {
    Verdict verdict;
    verdict_judge(evidence, &verdict);
    free(evidence);
    return verdict;
}

// Of links from and to these ranks; -1 is any.
static inline void set_rates(Evidence *evidence, int64_t from, int64_t to, uint32_t mbps) {
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        LinkEvidence *link = &evidence->links[i];
        if ((from < 0 || link->from == from) && (to < 0 || link->to == to)) {
            link->mbps[0] = mbps;
        }
    }
}

static inline void assert_only_culprit(const Verdict *verdict, uint32_t rank, const char *why) {
    assert_false(verdict->has_passed);
    assert_int_equal(verdict->culprit_count, 1);
    assert_int_equal(verdict->culprits[0].rank, rank);
    assert_non_null(strstr(verdict->culprits[0].why, why));
}
