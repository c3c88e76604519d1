// Of 64 ranks two are at fault at once, each in one of six ways. One run has to name both, and nobody else.
//
// What the leader would see of such a run is made here, from the order of phases and what each fault does in them; it is
// put down by the functions that put down what ranks report. Two faults hide each other in two cases, and then the one
// that is seen is named alone: nothing is tried before all have joined; and a wrong sum is seen by the one who receives
// it, which a rank that is gone does not tell.
#include "stdlib/node/collective/step.h"
#include "tests/support/run_evidence.h"

enum {
    N = RANKS_MAX,
    NEAR = 4,         // ranks that are partners, or partners of partners
    FAR_SAMPLES = 40, // of each pair of kinds
};

typedef enum Kind { ABSENT, WRONG_SUM, DIES, HANGS, SLOW_OUT, SLOW_IN, KINDS } Kind;

typedef struct Fault {
    Kind kind;
    uint32_t rank;
    uint32_t step; // of the ring, in which it shows
} Fault;

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

static bool is_gone(const Fault *fault) {
    return fault->kind == DIES || fault->kind == HANGS;
}

static void measure_links(Evidence *evidence, const Fault faults[2]) {
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        const LinkEvidence *link = &evidence->links[i];
        uint32_t mbps = RATE - i % 7; // no two are quite alike
        for (size_t k = 0; k < 2; k++) {
            const bool is_slow = (faults[k].kind == SLOW_OUT && faults[k].rank == link->from) ||
                                 (faults[k].kind == SLOW_IN && faults[k].rank == link->to);
            mbps = is_slow ? RATE / 5 : mbps;
        }
        const Go go = { .phase = PHASE_LINK, .from = link->from, .to = link->to };
        const Report sent = { .phase = PHASE_LINK, .mbps = { mbps } };
        assert_true(evidence_note_step(evidence, &go, go.from, &sent));
        assert_true(evidence_note_step(evidence, &go, go.to, &(Report){ .phase = PHASE_LINK }));
    }
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        evidence->has_ended_early |= evidence->links[i].mbps[0] < RATE / 2;
    }
}

// How far a rank came. One that is gone stops its next one after it, a step later the one after that, and so on around.
static uint32_t steps_done(const Fault faults[2], uint32_t rank, const Fault **cause) {
    uint32_t least = 2 * (N - 1);
    *cause = NULL;
    for (size_t k = 0; k < 2; k++) {
        const uint32_t behind = (rank + N - faults[k].rank) % N;
        if (is_gone(&faults[k]) && faults[k].step + behind < least) {
            least = faults[k].step + behind;
            *cause = &faults[k];
        }
    }
    return least;
}

static void run_ring(Evidence *evidence, const Fault faults[2]) {
    for (uint32_t i = 0; i < N; i++) {
        const Fault *cause = NULL;
        const uint32_t before = (i + N - 1) % N;
        Report report = { .phase = PHASE_EXACT, .step = steps_done(faults, i, &cause) };
        for (size_t k = 0; k < 2; k++) {
            if (faults[k].kind == WRONG_SUM && faults[k].rank == before && faults[k].step < report.step) {
                report.wrong_count = 1;
                report.wrong_peer = before;
                report.wrong_step = faults[k].step;
                report.outcome = OUTCOME_WRONG;
            }
            if (faults[k].rank == i && is_gone(&faults[k])) {
                evidence->ranks[i].presence = faults[k].kind == DIES ? PRESENCE_LOST : PRESENCE_SILENT;
            }
        }
        if (cause != NULL) {
            report.outcome = OUTCOME_TIMED_OUT;
            report.stuck = STUCK_RECEIVING;
            report.peer = before;
        }
        const bool has_report = evidence->ranks[i].presence == PRESENCE_JOINED;
        const Go go = { .phase = PHASE_EXACT };
        evidence->has_ended_early |= has_report && !evidence_note_step(evidence, &go, i, &report);
        evidence->ranks[i].has_report = has_report;
        evidence->has_ended_early |= !has_report;
    }
    evidence->has_ended_early |= evidence_has_wrong_sum(evidence);
}

static Evidence *a_run_with(const Fault faults[2]) {
    Evidence *evidence = calloc(1, sizeof *evidence);
    bool have_all_come = true;
    evidence->n = N;
    evidence->lane_count = 1;
    evidence_list_links(evidence);
    for (uint32_t i = 0; i < N; i++) {
        evidence->ranks[i].presence = PRESENCE_JOINED;
        evidence->ranks[i].join.lane_count = 1;
    }
    for (size_t k = 0; k < 2; k++) {
        if (faults[k].kind == ABSENT) {
            evidence->ranks[faults[k].rank] = (RankEvidence){ .presence = PRESENCE_ABSENT };
            have_all_come = false;
        }
    }
    evidence->has_ended_early = !have_all_come;
    if (have_all_come) {
        measure_links(evidence, faults);
        run_ring(evidence, faults);
    }
    return evidence;
}

// Whether a run can show fault `k`, beside the other one.
static bool is_visible(const Fault faults[2], size_t k) {
    const Fault *fault = &faults[k];
    const Fault *other = &faults[1 - k];
    if (other->kind == ABSENT) {
        return fault->kind == ABSENT;
    }
    return fault->kind != WRONG_SUM || !is_gone(other) ||
           (other->rank != (fault->rank + 1) % N && fault->step < steps_done(faults, (fault->rank + 1) % N, &other));
}

static bool is_named(const Verdict *verdict, uint32_t rank) {
    for (uint32_t i = 0; i < verdict->culprit_count; i++) {
        if (verdict->culprits[i].rank == rank) {
            return true;
        }
    }
    return false;
}

static unsigned try(Kind a, Kind b, uint32_t first, uint32_t second, uint32_t *random) {
    const Fault faults[2] = { { a, first, next_random(random) % (N - 1) },
                              { b, second, next_random(random) % (N - 1) } };
    Verdict *verdict = calloc(1, sizeof *verdict);
    Evidence *evidence = a_run_with(faults);
    uint32_t visible = 0;
    verdict_judge(evidence, verdict);
    assert_false(verdict->has_passed);
    for (size_t k = 0; k < 2; k++) {
        const bool must_be_named = is_visible(faults, k);
        visible += must_be_named;
        if (must_be_named != is_named(verdict, faults[k].rank)) {
            print_error("kinds %d and %d, ranks %u and %u\n", (int)a, (int)b, first, second);
        }
        assert_int_equal(is_named(verdict, faults[k].rank), must_be_named);
    }
    assert_int_equal(verdict->culprit_count, visible);
    assert_int_equal(verdict->suspect_count, 0);
    free(evidence);
    free(verdict);
    return visible;
}

static void test_two_ranks_at_fault_are_both_named(void **state) {
    (void)state;
    uint32_t random = 17;
    unsigned both = 0;
    unsigned runs = 0;
    for (uint32_t pair = 0; pair < KINDS * KINDS; pair++) {
        const Kind a = (Kind)(pair / KINDS);
        const Kind b = (Kind)(pair % KINDS);
        for (uint32_t distance = 1; distance <= NEAR; distance++) {
            const uint32_t first = next_random(&random) % N;
            both += try(a, b, first, (first + distance) % N, &random) == 2;
            both += try(a, b, first, (first + N - distance) % N, &random) == 2;
            runs += 2;
        }
        for (uint32_t i = 0; i < FAR_SAMPLES; i++) {
            const uint32_t first = next_random(&random) % N;
            const uint32_t second = (first + 1 + next_random(&random) % (N - 1)) % N;
            both += try(a, b, first, second, &random) == 2;
            runs++;
        }
    }
    // Of the pairs of kinds 10 of 36 hide one of the two, and of the others few ranks do.
    assert_true(both * 100 > runs * 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_ranks_at_fault_are_both_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
