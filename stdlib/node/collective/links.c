// A link has two ends, and one measurement does not tell which is at fault. Each rank sends to two others and receives
// from two others, so that whoever sends or receives badly does so on two links. A direction of a rank with a good link
// is not at fault, and that tells two bad ranks apart even where they are neighbours.
#include "stdlib/node/collective/links.h"

#include "stdlib/node/collective/text.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// The median rate of a lane over all links. For an even number of links it is the upper one, so that the faster of two
// links is the measure.
static uint32_t median_mbps(const Evidence *evidence, uint32_t lane) {
    uint32_t rates[LINKS_MAX];
    size_t count = 0;
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        if (evidence->links[i].is_measured) {
            rates[count++] = evidence->links[i].mbps[lane];
        }
    }
    qsort(rates, count, sizeof rates[0], ascending);
    return count == 0 ? 0 : rates[count / 2];
}

static LinkGrade grade_of(const Evidence *evidence, uint64_t rate, uint32_t lane) {
    const uint64_t median = median_mbps(evidence, lane);
    if (rate * PERCENT < median * SLOW_PERCENT || rate < evidence->link_floor_mbps) {
        return LINK_SLOW;
    }
    return rate * PERCENT < median * LOW_PERCENT ? LINK_LOW : LINK_GOOD;
}

LinkGrade links_grade(const Evidence *evidence, const LinkEvidence *link, uint32_t lane) {
    return link->is_measured ? grade_of(evidence, link->mbps[lane], lane) : LINK_GOOD;
}

static LinkGrade grade_as_judged(const Evidence *evidence, const LinkEvidence *link, uint32_t lane) {
    const uint32_t least = link->mbps[lane];
    const uint32_t most = link->possible_mbps[lane];
    return link->is_measured ? grade_of(evidence, most > least ? most : least, lane) : LINK_GOOD;
}

typedef LinkGrade LaneGrade(const Evidence *evidence, const LinkEvidence *link, uint32_t lane);

static LinkGrade worst_of(const Evidence *evidence, const LinkEvidence *link, LaneGrade *grade) {
    LinkGrade worst = LINK_GOOD;
    for (uint32_t lane = 0; lane < evidence->lane_count; lane++) {
        const LinkGrade of_lane = grade(evidence, link, lane);
        worst = of_lane > worst ? of_lane : worst;
    }
    return worst;
}

LinkGrade links_worst(const Evidence *evidence, const LinkEvidence *link) {
    return worst_of(evidence, link, links_grade);
}

LinkGrade links_judged(const Evidence *evidence, const LinkEvidence *link) {
    return worst_of(evidence, link, grade_as_judged);
}

// ---- bad links

typedef struct BadLink {
    const LinkEvidence *link;
    uint32_t lanes; // bits
    bool is_broken; // else slow, or low
    bool is_explained;
} BadLink;

typedef struct BadLinks {
    const Evidence *evidence;
    LinkGrade least; // that counts as bad
    uint32_t count;
    BadLink items[LINKS_MAX];
} BadLinks;

static void collect(const Evidence *evidence, LinkGrade least, BadLinks *bad) {
    *bad = (BadLinks){ .evidence = evidence, .least = least };
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        const LinkEvidence *link = &evidence->links[i];
        uint32_t lanes = 0;
        for (uint32_t lane = 0; lane < evidence->lane_count; lane++) {
            lanes |= grade_as_judged(evidence, link, lane) >= least ? UINT32_C(1) << lane : 0;
        }
        const bool is_broken = link->broken_lanes != 0 || link->has_failed;
        if (is_broken || lanes != 0) {
            bad->items[bad->count++] =
                (BadLink){ .link = link, .lanes = link->broken_lanes | lanes, .is_broken = is_broken };
        }
    }
}

// A direction of a rank's traffic, or both.
typedef enum Way { WAY_OUT = 1, WAY_IN = 2 } Way;

static uint32_t end_of(const LinkEvidence *link, Way way) {
    return way == WAY_OUT ? link->from : link->to;
}

// What bad links of one rank have in common.
typedef struct Share {
    uint32_t out, in, lanes; // links each way; bits
    uint32_t least_percent;  // of the median
    bool is_broken;
} Share;

static uint32_t percent_of(const Evidence *evidence, const LinkEvidence *link) {
    uint32_t least = PERCENT;
    for (uint32_t lane = 0; link->is_measured && lane < evidence->lane_count; lane++) {
        const uint32_t median = median_mbps(evidence, lane);
        const uint64_t percent = median == 0 ? PERCENT : (uint64_t)link->mbps[lane] * PERCENT / median;
        least = percent < least ? (uint32_t)percent : least;
    }
    return least;
}

// Of those that nothing explains, in the given ways.
static Share share_of(const BadLinks *bad, uint32_t rank, unsigned ways) {
    Share share = { .least_percent = PERCENT };
    for (uint32_t i = 0; i < bad->count; i++) {
        const BadLink *item = &bad->items[i];
        const bool is_out = (ways & WAY_OUT) != 0 && item->link->from == rank;
        const bool is_in = (ways & WAY_IN) != 0 && item->link->to == rank;
        if (!item->is_explained && (is_out || is_in)) {
            const uint32_t percent = percent_of(bad->evidence, item->link);
            share.out += is_out;
            share.in += is_in;
            share.lanes |= item->lanes;
            share.is_broken |= item->is_broken;
            share.least_percent = percent < share.least_percent ? percent : share.least_percent;
        }
    }
    return share;
}

static void explain(BadLinks *bad, uint32_t rank) {
    for (uint32_t i = 0; i < bad->count; i++) {
        const LinkEvidence *link = bad->items[i].link;
        bad->items[i].is_explained |= link->from == rank || link->to == rank;
    }
}

// "egress slow with 2 partners, over rdmap32s27"
static void name(const BadLinks *bad, uint32_t rank, const Share *share, Verdict *verdict) {
    const char *direction = share->in == 0 ? "egress" : share->out == 0 ? "ingress" : "traffic both ways";
    const uint32_t partners = share->in > share->out ? share->in : share->out;
    uint32_t lane = 0;
    while (share->lanes != 0 && (share->lanes >> lane & 1) == 0) {
        lane++;
    }
    const bool is_one_lane =
        bad->evidence->lane_count > 1 && share->lanes != 0 && (share->lanes & (share->lanes - 1)) == 0;
    const char *over = is_one_lane ? ", over " : "";
    const char *lane_name = is_one_lane ? bad->evidence->ranks[rank].lane_names[lane] : "";
    if (bad->least == LINK_LOW) {
        verdict_warn(verdict, rank, "%s at %u percent of the median with %u partners%s%s", direction,
                     share->least_percent, partners, over, lane_name);
    } else {
        verdict_blame(verdict, rank, "%s %s with %u partners%s%s", direction, share->is_broken ? "broken" : "slow",
                      partners, over, lane_name);
    }
}

// ---- whose fault they are

static bool is_bad(const BadLinks *bad, const LinkEvidence *link) {
    for (uint32_t i = 0; i < bad->count; i++) {
        if (bad->items[i].link == link) {
            return true;
        }
    }
    return false;
}

// Whether a direction of a rank may be at fault: several of its links are bad, and none is good.
static bool may_be_at_fault(const BadLinks *bad, uint32_t rank, Way way) {
    const Evidence *evidence = bad->evidence;
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        if (end_of(&evidence->links[i], way) == rank && !is_bad(bad, &evidence->links[i])) {
            return false;
        }
    }
    const Share share = share_of(bad, rank, way);
    return share.out + share.in >= 2;
}

// A bad link is the fault of its sender or of its receiver. Where one of them cannot be at fault, the other one is.
static void name_certain(BadLinks *bad, Verdict *verdict) {
    const uint32_t n = bad->evidence->n;
    unsigned may_be[RANKS_MAX] = { 0 };
    unsigned is[RANKS_MAX] = { 0 }; // bits of Way
    for (uint32_t i = 0; i < n; i++) {
        may_be[i] |= may_be_at_fault(bad, i, WAY_OUT) ? WAY_OUT : 0;
        may_be[i] |= may_be_at_fault(bad, i, WAY_IN) ? WAY_IN : 0;
    }
    for (uint32_t i = 0; i < bad->count; i++) {
        const LinkEvidence *link = bad->items[i].link;
        const bool is_sender = (may_be[link->from] & WAY_OUT) != 0;
        const bool is_receiver = (may_be[link->to] & WAY_IN) != 0;
        if (!bad->items[i].is_explained && is_sender != is_receiver) {
            is[is_sender ? link->from : link->to] |= is_sender ? WAY_OUT : WAY_IN;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const Share share = share_of(bad, i, is[i]);
        if (is[i] != 0) {
            name(bad, i, &share, verdict);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        if (is[i] != 0) {
            explain(bad, i);
        }
    }
}

// Of what is left each bad link votes for both of its ends, as where a rank loses some of its traffic. The rank with
// the most votes is named if it has two partners in one direction: one link each way may be the fault of the two
// others. Where two ranks have as many, nobody is: those links want a second look with third partners.
static void name_likely(BadLinks *bad, Verdict *verdict) {
    const uint32_t n = bad->evidence->n;
    for (;;) {
        uint32_t votes[RANKS_MAX] = { 0 };
        for (uint32_t i = 0; i < bad->count; i++) {
            if (!bad->items[i].is_explained) {
                votes[bad->items[i].link->from]++;
                votes[bad->items[i].link->to]++;
            }
        }
        uint32_t most = 0;
        for (uint32_t i = 1; i < n; i++) {
            most = votes[i] > votes[most] ? i : most;
        }
        uint32_t peers = 0;
        for (uint32_t i = 0; i < n; i++) {
            peers += votes[i] == votes[most];
        }
        const Share share = share_of(bad, most, WAY_OUT | WAY_IN);
        if (peers > 1 || (share.out < 2 && share.in < 2)) {
            return;
        }
        name(bad, most, &share, verdict);
        explain(bad, most);
    }
}

static void name_ends(BadLinks *bad, Verdict *verdict) {
    name_certain(bad, verdict);
    name_likely(bad, verdict);
}

// What did not get through to a rank that is gone is no fault of its partner. A rate was measured while both were
// there.
void links_judge(const Evidence *evidence, Verdict *verdict) {
    BadLinks bad;
    collect(evidence, LINK_SLOW, &bad);
    for (uint32_t i = 0; i < bad.count; i++) {
        bad.items[i].is_explained = bad.items[i].is_broken && verdict_names(verdict, bad.items[i].link);
    }
    name_ends(&bad, verdict);
    for (uint32_t i = 0; i < bad.count; i++) {
        if (!bad.items[i].is_explained && !verdict_names(verdict, bad.items[i].link)) {
            verdict_suspect(verdict, bad.items[i].link->from, bad.items[i].link->to);
        }
    }
}

static uint32_t slowest_mbps(const Evidence *evidence, const LinkEvidence *link) {
    uint32_t slowest = UINT32_MAX;
    for (uint32_t lane = 0; lane < evidence->lane_count; lane++) {
        slowest = link->mbps[lane] < slowest ? link->mbps[lane] : slowest;
    }
    return slowest;
}

// One warning, of all: if all links are like that, it is the type's way, or the image's.
static void warn_of_rate(const Evidence *evidence, Verdict *verdict) {
    const LinkEvidence *slowest = NULL;
    uint32_t below = 0;
    uint32_t measured = 0;
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        const LinkEvidence *link = &evidence->links[i];
        if (link->is_measured) {
            const uint32_t mbps = slowest_mbps(evidence, link);
            measured++;
            below += mbps < evidence->link_warn_mbps;
            slowest = slowest == NULL || mbps < slowest_mbps(evidence, slowest) ? link : slowest;
        }
    }
    if (below > 0) {
        verdict_warn(verdict, NO_RANK, "%u of %u links carry less than %u Mb/s; from rank %u to rank %u: %u Mb/s",
                     below, measured, evidence->link_warn_mbps, slowest->from, slowest->to,
                     slowest_mbps(evidence, slowest));
    }
}

// One warning, of all links that may be better than they look.
static void warn_of_processors(const Evidence *evidence, Verdict *verdict) {
    const LinkEvidence *worst = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        const LinkEvidence *link = &evidence->links[i];
        if (links_judged(evidence, link) < links_worst(evidence, link)) {
            count++;
            worst = worst == NULL || link->waited_percent > worst->waited_percent ? link : worst;
        }
    }
    if (worst != NULL) {
        verdict_warn(
            verdict, NO_RANK,
            "%u of %u links may be better: the processors were the limit; rank %u waited %u percent of the time", count,
            evidence->link_count, worst->waited_rank, worst->waited_percent);
    }
}

// Of those that somebody was named for, or that are suspects, no more is said.
void links_warn(const Evidence *evidence, Verdict *verdict) {
    BadLinks bad;
    collect(evidence, LINK_LOW, &bad);
    for (uint32_t i = 0; i < bad.count; i++) {
        bad.items[i].is_explained = verdict_names(verdict, bad.items[i].link);
    }
    name_ends(&bad, verdict);
    for (uint32_t i = 0; i < bad.count; i++) {
        const BadLink *item = &bad.items[i];
        if (!item->is_explained) {
            verdict_warn(verdict, NO_RANK, "the link from rank %u to rank %u carries %u percent of the median",
                         item->link->from, item->link->to, percent_of(evidence, item->link));
        }
    }
    warn_of_rate(evidence, verdict);
    warn_of_processors(evidence, verdict);
}
