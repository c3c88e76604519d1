// Judges what the leader saw, and names who is at fault. It is a pure function, so a test can hold each of its rules.
#pragma once

#include "stdlib/node/collective/evidence.h"
#include "stdlib/node/collective/text.h"

enum {
    CULPRITS_MAX = RANKS_MAX,
    WARNINGS_MAX = RANKS_MAX, // that are kept
    NO_RANK = RANKS_MAX,
};

typedef struct Culprit {
    uint32_t rank;
    char why[REASON_BYTES];
} Culprit;

// What somebody should look at, and no reason to take a node out of service.
typedef struct Warning {
    uint32_t rank; // NO_RANK: of no rank alone
    char why[REASON_BYTES];
} Warning;

typedef struct Suspect {
    uint32_t from, to;
} Suspect;

typedef struct Verdict {
    bool has_passed;
    uint32_t culprit_count;
    Culprit culprits[CULPRITS_MAX];
    uint32_t suspect_count;
    Suspect suspects[LINKS_MAX];
    uint32_t warning_count;
    Warning warnings[WARNINGS_MAX];
    bool has_low_links;       // of which it warns
    char abort[REASON_BYTES]; // what ended the run, or ""
} Verdict;

void verdict_judge(const Evidence *evidence, Verdict *verdict);

// What rank `rank` exits with.
int verdict_exit_code(const Verdict *verdict, uint32_t rank);

// Mb/s that an all-reduce of so many bytes in so many nanoseconds uses of each interface's both directions.
uint64_t verdict_bus_mbps(uint64_t bytes, uint32_t n, uint64_t ns);

// ---- for the parts of the judgement

// Names a rank, unless a surer reason came first.
void verdict_blame(Verdict *verdict, uint32_t rank, const char *format, ...) PRINTF_LIKE(3, 4);

// Warns of a rank, or of NO_RANK.
void verdict_warn(Verdict *verdict, uint32_t rank, const char *format, ...) PRINTF_LIKE(3, 4);

void verdict_suspect(Verdict *verdict, uint32_t from, uint32_t to);

// Whether a link is a suspect, or one of its ends a culprit.
bool verdict_names(const Verdict *verdict, const LinkEvidence *link);
