#include "stdlib/node/collective/evidence.h"

#include "tests/support/check.h"

static Evidence *of_ranks(uint32_t n) {
    Evidence *evidence = calloc(1, sizeof *evidence);
    evidence->n = n;
    evidence->lane_count = 1;
    evidence_list_links(evidence);
    return evidence;
}

static const LinkEvidence *link_between(const Evidence *evidence, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        if (evidence->links[i].from == from && evidence->links[i].to == to) {
            return &evidence->links[i];
        }
    }
    return NULL;
}

// As the sender reports it.
static void measure(Evidence *evidence, uint32_t from, uint32_t to, Outcome outcome, uint32_t mbps) {
    const Go go = { .phase = PHASE_LINK, .from = from, .to = to };
    const Report report = { .phase = PHASE_LINK, .outcome = outcome, .mbps = { mbps } };
    assert_true(evidence_note_step(evidence, &go, from, &report));
}

static void test_each_rank_has_two_links_out_and_two_in(void **state) {
    (void)state;
    Evidence *evidence = of_ranks(5);

    assert_int_equal(evidence->link_count, 10);
    assert_non_null(link_between(evidence, 4, 0));
    assert_non_null(link_between(evidence, 4, 1));
    free(evidence);
}

static void test_of_two_ranks_there_are_two_links(void **state) {
    (void)state;
    Evidence *evidence = of_ranks(2);

    assert_int_equal(evidence->link_count, 2);
    free(evidence);
}

static void test_the_fastest_measurement_of_a_link_stays(void **state) {
    (void)state;
    Evidence *evidence = of_ranks(3);

    measure(evidence, 0, 1, OUTCOME_DONE, 70);
    measure(evidence, 0, 1, OUTCOME_DONE, 90);
    measure(evidence, 0, 1, OUTCOME_DONE, 80);

    assert_int_equal(link_between(evidence, 0, 1)->mbps[0], 90);
    free(evidence);
}

static void test_the_least_disturbed_measurement_bounds_what_a_link_may_carry(void **state) {
    (void)state;
    Evidence *evidence = of_ranks(3);
    const LinkEvidence *link = link_between(evidence, 0, 1);
    Go go = { .serial = 1, .phase = PHASE_LINK, .from = 0, .to = 1 };
    const Report sent = { .phase = PHASE_LINK, .mbps = { 40 }, .waited_percent = 20 };
    const Report received = { .phase = PHASE_LINK, .waited_percent = 50 };

    (void)evidence_note_step(evidence, &go, 1, &received);
    assert_int_equal(link->possible_mbps[0], 0);
    (void)evidence_note_step(evidence, &go, 0, &sent);

    assert_int_equal(link->possible_mbps[0], 80);
    assert_int_equal(link->waited_rank, 1);
    assert_int_equal(link->waited_percent, 50);

    go.serial = 2;
    (void)evidence_note_step(evidence, &go, 0, &sent);
    (void)evidence_note_step(evidence, &go, 1, &(Report){ .phase = PHASE_LINK });

    assert_int_equal(link->possible_mbps[0], 50);
    free(evidence);
}

static void test_a_link_that_was_never_measured_has_failed(void **state) {
    (void)state;
    Evidence *evidence = of_ranks(3);

    measure(evidence, 0, 1, OUTCOME_TIMED_OUT, 0);

    assert_true(link_between(evidence, 0, 1)->has_failed);
    assert_false(link_between(evidence, 0, 1)->is_measured);
    free(evidence);
}

static void test_a_slow_link_that_fails_when_it_is_measured_again_is_slow(void **state) {
    (void)state;
    Evidence *evidence = of_ranks(3);

    measure(evidence, 0, 1, OUTCOME_DONE, 40);
    measure(evidence, 0, 1, OUTCOME_TIMED_OUT, 0);

    assert_false(link_between(evidence, 0, 1)->has_failed);
    assert_int_equal(link_between(evidence, 0, 1)->mbps[0], 40);
    free(evidence);
}

static void test_what_is_not_heard_breaks_the_link_to_who_did_not_hear(void **state) {
    (void)state;
    Evidence *evidence = of_ranks(4);
    const Go go = { .phase = PHASE_PING, .stride = 2 };

    assert_true(evidence_note_step(evidence, &go, 1, &(Report){ .phase = PHASE_PING, .acknowledged_lanes = 1 }));

    assert_int_equal(link_between(evidence, 3, 1)->broken_lanes, 1);
    assert_int_equal(link_between(evidence, 1, 3)->broken_lanes, 0);
    free(evidence);
}

static void test_an_answer_that_is_lost_breaks_the_link_of_the_answer(void **state) {
    (void)state;
    Evidence *evidence = of_ranks(4);
    const Go go = { .phase = PHASE_PING, .stride = 1 };
    for (uint32_t rank = 0; rank < 4; rank++) {
        // Rank 1 heard rank 0, which never hears of it.
        const Report report = { .phase = PHASE_PING, .heard_lanes = 1, .acknowledged_lanes = rank == 0 ? 0 : 1 };
        assert_true(evidence_note_step(evidence, &go, rank, &report));
    }

    evidence_note_answers(evidence, &go);

    assert_int_equal(link_between(evidence, 1, 0)->broken_lanes, 1);
    assert_int_equal(link_between(evidence, 0, 1)->broken_lanes, 0);
    free(evidence);
}

static void test_a_ring_that_does_not_end_well_ends_the_run(void **state) {
    (void)state;
    Evidence *evidence = of_ranks(3);
    const Go go = { .phase = PHASE_EXACT };

    assert_true(evidence_note_step(evidence, &go, 0, &(Report){ .phase = PHASE_EXACT, .outcome = OUTCOME_DONE }));
    assert_false(evidence_note_step(evidence, &go, 1, &(Report){ .phase = PHASE_EXACT, .outcome = OUTCOME_BROKEN }));
    free(evidence);
}

static void test_a_wrong_sum_ends_no_step_at_the_others(void **state) {
    (void)state;
    Evidence *evidence = of_ranks(3);
    const Go go = { .phase = PHASE_EXACT };
    const Report wrong = { .phase = PHASE_EXACT, .outcome = OUTCOME_WRONG, .wrong_count = 1 };
    assert_false(evidence_has_wrong_sum(evidence));

    assert_true(evidence_note_step(evidence, &go, 1, &wrong));

    assert_true(evidence_has_wrong_sum(evidence));
    free(evidence);
}

static void test_an_all_reduce_takes_as_long_as_its_slowest_rank(void **state) {
    (void)state;
    Evidence *evidence = of_ranks(2);
    evidence->ranks[0].report = (Report){ .total_ns = 300, .best_ns = 90 };
    evidence->ranks[1].report = (Report){ .total_ns = 240, .best_ns = 50 };

    evidence_note_times(evidence, 3);

    assert_int_equal(evidence->mean_ns, 100);
    assert_int_equal(evidence->best_ns, 90);
    free(evidence);
}

static void test_who_is_refused_again_and_again_is_noted_once(void **state) {
    (void)state;
    Evidence *evidence = of_ranks(4);

    evidence_note_refusal(evidence, 1, "10.0.0.7", "another token");
    evidence_note_refusal(evidence, 1, "10.0.0.7", "another token");
    evidence_note_refusal(evidence, 2, "10.0.0.7", "another token");

    assert_int_equal(evidence->refusal_count, 2);
    free(evidence);
}

static void test_who_is_let_in_after_all_was_not_refused(void **state) {
    (void)state;
    Evidence *evidence = of_ranks(4);
    evidence_note_refusal(evidence, 1, "10.0.0.7", "rank 1 is taken");
    evidence_note_refusal(evidence, 1, "10.0.0.8", "rank 1 is taken");

    evidence_forget_refusals(evidence, 1, "10.0.0.7");

    assert_int_equal(evidence->refusal_count, 1);
    assert_string_equal(evidence->refusals[0].address, "10.0.0.8");
    free(evidence);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_rank_has_two_links_out_and_two_in),
        cmocka_unit_test(test_of_two_ranks_there_are_two_links),
        cmocka_unit_test(test_the_fastest_measurement_of_a_link_stays),
        cmocka_unit_test(test_a_link_that_was_never_measured_has_failed),
        cmocka_unit_test(test_a_slow_link_that_fails_when_it_is_measured_again_is_slow),
        cmocka_unit_test(test_the_least_disturbed_measurement_bounds_what_a_link_may_carry),
        cmocka_unit_test(test_what_is_not_heard_breaks_the_link_to_who_did_not_hear),
        cmocka_unit_test(test_an_answer_that_is_lost_breaks_the_link_of_the_answer),
        cmocka_unit_test(test_a_ring_that_does_not_end_well_ends_the_run),
        cmocka_unit_test(test_a_wrong_sum_ends_no_step_at_the_others),
        cmocka_unit_test(test_who_is_refused_again_and_again_is_noted_once),
        cmocka_unit_test(test_who_is_let_in_after_all_was_not_refused),
        cmocka_unit_test(test_an_all_reduce_takes_as_long_as_its_slowest_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
