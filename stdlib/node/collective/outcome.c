// Turns a judged run into the JSON that people and orchestrators read. It rounds the numbers of links, because a job of
// 64 ranks has 128 of them in one object.
#include "stdlib/node/collective/outcome.h"

#include "stdlib/node/collective/counters.h"
#include "stdlib/node/collective/memlock.h"

#include <string.h>

enum { NUMBER_BYTES = 32 };

// Mb/s as Gb/s.
static double gbps(uint64_t mbps) {
    return (double)mbps / 1000.0;
}

static void put_check(Text *text, const char *separator, const char *id, const char *result, const char *want,
                      const char *got) {
    text_put(text, "%s{\"id\":\"%s\",\"s\":\"%s\",\"want\":", separator, id, result);
    text_put_quoted(text, want);
    text_put(text, ",\"got\":");
    text_put_quoted(text, got);
    text_put(text, ",\"at\":\"\"}");
}

static bool have_all_come(const Evidence *evidence) {
    bool have_come = evidence->lane_count > 0;
    for (uint32_t i = 0; i < evidence->n; i++) {
        const RankEvidence *rank = &evidence->ranks[i];
        have_come &= rank->presence != PRESENCE_ABSENT && rank->join.lane_count == evidence->lane_count &&
                     rank->join.gpu_count == evidence->gpu_count;
    }
    return have_come;
}

static void put_checks(Text *text, const Job *job, const Evidence *evidence, const Verdict *verdict,
                       const bool is_phase_done[PHASES]) {
    static const struct {
        Phase phase;
        const char *id;
        const char *want;
    } CHECKS[] = {
        { PHASE_PING, "coll.ping", "64 bytes there and back" },
        { PHASE_LINK, "coll.links", "no link far below the others" },
        { PHASE_EXACT, "coll.exact", "each partial sum exact" },
        { PHASE_DEVICE, "coll.device", "GPU memory around the ring" },
        { PHASE_TIMED, "coll.timed", "all-reduces in their time" },
    };
    bool has_failed = !have_all_come(evidence);
    text_put(text, "\"checks\":[");
    put_check(text, "", "coll.join", has_failed ? NODE_FAIL : NODE_PASS, "all ranks, with as many interfaces",
              has_failed ? "" : "done");
    for (size_t i = 0; i < sizeof CHECKS / sizeof CHECKS[0]; i++) {
        const bool is_wanted = (job->phases >> CHECKS[i].phase & 1) != 0;
        const bool is_done = is_phase_done[CHECKS[i].phase];
        const bool is_low = CHECKS[i].phase == PHASE_LINK && verdict->has_low_links;
        const char *result = is_done                    ? is_low ? NODE_WARN : NODE_PASS
                             : is_wanted && !has_failed ? NODE_FAIL
                                                        : NODE_SKIP;
        // Of those wanted only the first that is not done was tried.
        has_failed |= is_wanted && !is_done;
        put_check(text, ",", CHECKS[i].id, result, CHECKS[i].want, is_done ? "done" : "");
    }
    if (is_phase_done[PHASE_TIMED]) {
        const uint64_t bus = verdict_bus_mbps(evidence->bytes, evidence->n, evidence->mean_ns);
        char want[NUMBER_BYTES];
        char got[NUMBER_BYTES];
        text_into(want, sizeof want, "%u Gb/s", job->bus_floor_gbps);
        text_into(got, sizeof got, "%.2f Gb/s", gbps(bus));
        const char *result = job->bus_floor_gbps == 0         ? NODE_SKIP
                             : bus < evidence->bus_floor_mbps ? NODE_FAIL
                                                              : NODE_PASS;
        put_check(text, ",", "coll.bus", result, job->bus_floor_gbps == 0 ? "unfloored" : want, got);
    }
    text_put(text, "],");
}

static void put_links(Text *text, const Evidence *evidence) {
    const char *separator = "";
    text_put(text, "\"links\":[");
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        const LinkEvidence *link = &evidence->links[i];
        uint32_t slowest = UINT32_MAX;
        for (uint32_t lane = 0; lane < evidence->lane_count; lane++) {
            slowest = link->mbps[lane] < slowest ? link->mbps[lane] : slowest;
        }
        if (link->is_measured) {
            text_put(text, "%s[%u,%u,%.2f]", separator, link->from, link->to, gbps(slowest));
            separator = ",";
        }
    }
    text_put(text, "],");
}

static void put_counters(Text *text, const Evidence *evidence) {
    const char *separator = "";
    text_put(text, "\"counters\":[");
    for (uint32_t i = 0; i < evidence->n; i++) {
        for (size_t k = 0; evidence->ranks[i].has_report && k < COUNTER_COUNT; k++) {
            const uint64_t count = evidence->ranks[i].report.counters[k];
            if (count > 0) {
                text_put(text, "%s[%u,\"%s\",%llu]", separator, i, COUNTER_ROWS[k].name, (unsigned long long)count);
                separator = ",";
            }
        }
    }
    text_put(text, "],");
}

// Of ranks that have a limit; one with few endpoints may do with it.
static void put_memlock(Text *text, const Evidence *evidence) {
    const char *separator = "";
    text_put(text, "\"memlock_mib\":[");
    for (uint32_t i = 0; i < evidence->n; i++) {
        const RankEvidence *rank = &evidence->ranks[i];
        if (rank->presence != PRESENCE_ABSENT && rank->join.memlock_mib != MEMLOCK_NO_LIMIT) {
            text_put(text, "%s[%u,%u]", separator, i, rank->join.memlock_mib);
            separator = ",";
        }
    }
    text_put(text, "],");
}

static void put_culprits(Text *text, const Evidence *evidence, const Verdict *verdict) {
    text_put(text, "\"culprits\":[");
    for (uint32_t i = 0; i < verdict->culprit_count; i++) {
        const Culprit *culprit = &verdict->culprits[i];
        text_put(text, "%s{\"rank\":%u,\"host\":", i == 0 ? "" : ",", culprit->rank);
        text_put_quoted(text, evidence->ranks[culprit->rank].join.host);
        text_put(text, ",\"why\":");
        text_put_quoted(text, culprit->why);
        text_put(text, "}");
    }
    text_put(text, "],\"suspect_links\":[");
    for (uint32_t i = 0; i < verdict->suspect_count; i++) {
        text_put(text, "%s[%u,%u]", i == 0 ? "" : ",", verdict->suspects[i].from, verdict->suspects[i].to);
    }
    text_put(text, "],");
}

static void put_warnings(Text *text, const Evidence *evidence, const Verdict *verdict) {
    text_put(text, "\"warnings\":[");
    for (uint32_t i = 0; i < verdict->warning_count; i++) {
        const Warning *warning = &verdict->warnings[i];
        text_put(text, i == 0 ? "{" : ",{");
        if (warning->rank != NO_RANK) {
            text_put(text, "\"rank\":%u,\"host\":", warning->rank);
            text_put_quoted(text, evidence->ranks[warning->rank].join.host);
            text_put(text, ",");
        }
        text_put(text, "\"why\":");
        text_put_quoted(text, warning->why);
        text_put(text, "}");
    }
    text_put(text, "],");
}

static void put_refusals(Text *text, const Evidence *evidence) {
    text_put(text, "\"refused\":[");
    for (uint32_t i = 0; i < evidence->refusal_count; i++) {
        const Refusal *refusal = &evidence->refusals[i];
        text_put(text, "%s{\"rank\":%u,\"address\":", i == 0 ? "" : ",", refusal->rank);
        text_put_quoted(text, refusal->address);
        text_put(text, ",\"why\":");
        text_put_quoted(text, refusal->why);
        text_put(text, "}");
    }
    text_put(text, "],");
}

void outcome_write(Text *text, const Job *job, const Evidence *evidence, const Verdict *verdict,
                   const bool is_phase_done[PHASES], uint64_t ms) {
    const char *provider = job->provider;
    for (uint32_t i = 0; i < evidence->n; i++) {
        provider = evidence->ranks[i].join.lane_count > 0 ? evidence->ranks[i].join.provider : provider;
    }
    put_checks(text, job, evidence, verdict, is_phase_done);
    text_put(text, "\"n\":%u,\"provider\":", evidence->n);
    text_put_quoted(text, provider);
    text_put(text, ",\"interfaces\":%u,\"bytes\":%llu,", evidence->lane_count, (unsigned long long)evidence->bytes);
    if (evidence->mean_ns > 0) {
        const uint64_t bus = verdict_bus_mbps(evidence->bytes, evidence->n, evidence->mean_ns);
        const double algorithm = (double)evidence->bytes * 8.0 / (double)evidence->mean_ns;
        const uint64_t best = verdict_bus_mbps(evidence->bytes, evidence->n, evidence->best_ns);
        text_put(text, "\"busbw_gbps\":%.2f,\"busbw_best_gbps\":%.2f,\"algbw_gbps\":%.2f,", gbps(bus), gbps(best),
                 algorithm);
    }
    put_links(text, evidence);
    put_counters(text, evidence);
    put_memlock(text, evidence);
    put_culprits(text, evidence, verdict);
    put_refusals(text, evidence);
    put_warnings(text, evidence, verdict);
    text_put(text, "\"abort\":");
    text_put_quoted(text, verdict->abort);
    text_put(text, ",\"ms\":%llu,\"verdict\":\"%s\"}", (unsigned long long)ms,
             !verdict->has_passed         ? NODE_FAIL
             : verdict->warning_count > 0 ? NODE_WARN
                                          : NODE_PASS);
}

void outcome_write_head(Text *text, const Job *job) {
    text_put(text, "{\"v\":%d,\"phase\":\"" NODE_PHASE_COLLECTIVE "\",\"node\":", NODE_VERDICT_VERSION);
    text_put_quoted(text, job->host);
    text_put(text, ",\"group\":");
    text_put_quoted(text, job->group);
    text_put(text, ",\"rank\":%u,", job->rank);
}

void outcome_write_lost(Text *text, const Job *job, const char *reason) {
    text_put(text, "\"n\":%u,\"culprits\":[],\"suspect_links\":[],\"abort\":", job->n);
    text_put_quoted(text, reason);
    text_put(text, ",\"verdict\":\"" NODE_FAIL "\"}");
}
