#include "stdlib/node/collective/verdict.h"

#include "tests/support/run_evidence.h"

static void test_a_sound_run_passes(void **state) {
    (void)state;
    const Verdict verdict = judged(a_run(4));

    assert_true(verdict.has_passed);
    assert_int_equal(verdict_exit_code(&verdict, 3), NODE_EXIT_PASS);
}

static void test_an_absent_rank_is_named(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    evidence->ranks[2].presence = PRESENCE_ABSENT;

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 2, "absent");
    assert_int_equal(verdict_exit_code(&verdict, 2), NODE_EXIT_FAIL);
    assert_int_equal(verdict_exit_code(&verdict, 1), NODE_EXIT_OTHER);
}

static void test_an_absent_rank_is_not_named_where_somebody_was_refused(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    evidence->ranks[2].presence = PRESENCE_ABSENT;
    evidence->has_ended_early = true;
    evidence_note_refusal(evidence, 1, "10.0.0.7", "rank 1 is b's, at 10.0.0.6");

    const Verdict verdict = judged(evidence);

    assert_int_equal(verdict.culprit_count, 0);
    assert_string_equal(verdict.abort, "rank 2 did not join; 10.0.0.7 came as rank 1: rank 1 is b's, at 10.0.0.6");
    assert_int_equal(verdict_exit_code(&verdict, 2), NODE_EXIT_OTHER);
}

static void test_a_rank_without_a_fabric_is_named_with_its_reason(void **state) {
    (void)state;
    Evidence *evidence = a_run(2);
    evidence->ranks[1].join = (Join){ .lane_count = 0, .reason = "no interface for provider efa" };

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 1, "no interface for provider efa");
}

static void test_what_no_rank_has_is_the_fault_of_the_job(void **state) {
    (void)state;
    Evidence *evidence = a_run(3);
    evidence->lane_count = 0;
    evidence->has_ended_early = true;
    for (uint32_t i = 0; i < 3; i++) {
        evidence->ranks[i].join = (Join){ .lane_count = 0, .reason = "libfabric cannot be loaded" };
    }

    const Verdict verdict = judged(evidence);

    assert_false(verdict.has_passed);
    assert_int_equal(verdict.culprit_count, 0);
    assert_string_equal(verdict.abort, "no rank has an interface: libfabric cannot be loaded");
    assert_int_equal(verdict_exit_code(&verdict, 0), NODE_EXIT_OTHER);
}

static void test_the_one_rank_that_came_has_nobody_to_be_like(void **state) {
    (void)state;
    Evidence *evidence = a_run(2);
    evidence->lane_count = 0;
    evidence->ranks[0].join = (Join){ .lane_count = 0, .reason = "libfabric cannot be loaded" };
    evidence->ranks[1].presence = PRESENCE_ABSENT;

    const Verdict verdict = judged(evidence);

    assert_int_equal(verdict.culprit_count, 2);
}

static void test_a_rank_with_an_interface_too_few_is_named(void **state) {
    (void)state;
    Evidence *evidence = a_run(3);
    evidence->lane_count = 32;
    for (uint32_t i = 0; i < 3; i++) {
        evidence->ranks[i].join.lane_count = i == 1 ? 31 : 32;
    }
    evidence->link_count = 0;

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 1, "has 31 interfaces where others have 32");
}

static void test_a_rank_with_a_gpu_too_few_is_named(void **state) {
    (void)state;
    Evidence *evidence = a_run(3);
    evidence->has_ended_early = true;
    evidence->gpu_count = 8;
    for (uint32_t i = 0; i < 3; i++) {
        evidence->ranks[i].join.gpu_count = i == 1 ? 7 : 8;
    }

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 1, "has 7 GPUs where others have 8");
}

static void test_a_wrong_chunk_names_the_gpu(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    evidence->has_ended_early = true;
    evidence->ranks[3].report =
        (Report){ .wrong_count = 2, .phase = PHASE_DEVICE, .wrong_peer = 2, .wrong_iteration = 6, .wrong_step = 1 };

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 2, "sent 2 times a wrong chunk: GPU 6, step 1, received by rank 3");
}

static void test_a_silent_rank_is_named_and_not_who_waits_for_it(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    evidence->has_ended_early = true;
    evidence->ranks[1].presence = PRESENCE_SILENT;
    evidence->ranks[2].report =
        (Report){ .outcome = OUTCOME_TIMED_OUT, .phase = PHASE_EXACT, .stuck = STUCK_RECEIVING, .peer = 1 };

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 1, "no report");
}

static void test_a_leader_that_loses_everybody_is_cut_off_itself(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    evidence->ranks[1].presence = PRESENCE_SILENT;
    evidence->ranks[2].presence = PRESENCE_LOST;
    evidence->ranks[3].presence = PRESENCE_SILENT;

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 0, "cut off");
}

static void test_a_rank_that_is_left_over_is_not_cut_off_where_the_leader_is_elsewhere(void **state) {
    (void)state;
    Evidence *evidence = a_run(3);
    evidence->ranks[0].presence = PRESENCE_SILENT;
    evidence->ranks[1].presence = PRESENCE_LOST;

    const Verdict verdict = judged(evidence);

    assert_int_equal(verdict.culprit_count, 2);
    assert_int_equal(verdict_exit_code(&verdict, 2), NODE_EXIT_OTHER);
}

static void test_a_wrong_sum_accuses_who_sent_it(void **state) {
    (void)state;
    Evidence *evidence = a_run(8);
    evidence->has_ended_early = true;
    evidence->ranks[2].report = (Report){ .outcome = OUTCOME_WRONG,
                                          .phase = PHASE_EXACT,
                                          .step = 13, // the last one
                                          .wrong_count = 1,
                                          .wrong_peer = 1,
                                          .wrong_step = 5 };

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 1, "sent a wrong partial sum: all-reduce 0, step 5, received by rank 2");
}

static void test_all_who_sent_wrong_sums_are_named_whenever_they_did(void **state) {
    (void)state;
    Evidence *evidence = a_run(8);
    evidence->has_ended_early = true;
    evidence->ranks[2].report = (Report){ .wrong_count = 3, .phase = PHASE_EXACT, .wrong_peer = 1, .wrong_step = 0 };
    evidence->ranks[3].report = (Report){ .wrong_count = 1, .phase = PHASE_EXACT, .wrong_peer = 2, .wrong_step = 6 };

    const Verdict verdict = judged(evidence);

    assert_int_equal(verdict.culprit_count, 2);
    assert_int_equal(verdict.culprits[0].rank, 1);
    assert_non_null(strstr(verdict.culprits[0].why, "sent 3 times a wrong partial sum"));
    assert_int_equal(verdict.culprits[1].rank, 2);
}

static void test_slow_to_two_partners_is_the_senders_fault(void **state) {
    (void)state;
    for (uint32_t n = 3; n <= 8; n++) {
        Evidence *evidence = a_run(n);
        set_rates(evidence, 1, -1, RATE / 5);

        const Verdict verdict = judged(evidence);

        assert_only_culprit(&verdict, 1, "egress slow with 2 partners");
    }
}

static void test_slow_from_two_partners_is_the_receivers_fault(void **state) {
    (void)state;
    for (uint32_t n = 3; n <= 8; n++) {
        Evidence *evidence = a_run(n);
        set_rates(evidence, -1, 2, RATE / 5);

        const Verdict verdict = judged(evidence);

        assert_only_culprit(&verdict, 2, "ingress slow with 2 partners");
    }
}

static void test_one_slow_link_is_suspect_and_nobody_is_named(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    set_rates(evidence, 1, 2, RATE / 5);

    const Verdict verdict = judged(evidence);

    assert_false(verdict.has_passed);
    assert_int_equal(verdict.culprit_count, 0);
    assert_int_equal(verdict.suspect_count, 1);
    assert_int_equal(verdict.suspects[0].from, 1);
    assert_int_equal(verdict.suspects[0].to, 2);
    assert_int_equal(verdict_exit_code(&verdict, 1), NODE_EXIT_OTHER);
}

static void test_one_slow_link_each_way_names_nobody(void **state) {
    (void)state;
    Evidence *evidence = a_run(8);
    set_rates(evidence, 1, 3, RATE / 5);
    set_rates(evidence, 7, 1, RATE / 5);

    const Verdict verdict = judged(evidence);

    assert_int_equal(verdict.culprit_count, 0);
    assert_int_equal(verdict.suspect_count, 2);
}

static void test_of_two_ranks_neither_can_be_named(void **state) {
    (void)state;
    Evidence *evidence = a_run(2);
    set_rates(evidence, 0, 1, RATE / 5);

    const Verdict verdict = judged(evidence);

    assert_int_equal(verdict.culprit_count, 0);
    assert_int_equal(verdict.suspect_count, 1);
}

static void test_half_the_speed_of_the_others_passes(void **state) {
    (void)state;
    Evidence *evidence = a_run(8);
    set_rates(evidence, 3, -1, RATE / 2);

    assert_true(judged(evidence).has_passed);
}

static void test_a_floor_finds_what_is_slow_everywhere_and_names_nobody(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    evidence->link_floor_mbps = RATE + 1;

    const Verdict verdict = judged(evidence);

    assert_false(verdict.has_passed);
    assert_int_equal(verdict.culprit_count, 0);
    assert_int_equal(verdict.suspect_count, 8);
}

static void test_two_bad_ranks_far_apart_are_both_named(void **state) {
    (void)state;
    Evidence *evidence = a_run(8);
    evidence->links[1].broken_lanes = 1; // 1 to 2
    set_rates(evidence, 1, -1, RATE / 10);
    set_rates(evidence, -1, 1, RATE / 10);
    set_rates(evidence, 5, -1, RATE / 10);

    const Verdict verdict = judged(evidence);

    assert_int_equal(verdict.culprit_count, 2);
    assert_int_equal(verdict.culprits[0].rank, 1);
    assert_int_equal(verdict.culprits[1].rank, 5);
    assert_int_equal(verdict.suspect_count, 0);
}

static void test_one_bad_interface_is_named(void **state) {
    (void)state;
    Evidence *evidence = a_run(8);
    evidence->lane_count = 2;
    for (uint32_t i = 0; i < 8; i++) {
        evidence->ranks[i].join.lane_count = 2;
        memcpy(evidence->ranks[i].lane_names[1], "rdmap32s27", sizeof "rdmap32s27");
    }
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        evidence->links[i].mbps[1] = evidence->links[i].from == 4 ? RATE / 8 : RATE;
    }

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 4, "egress slow with 2 partners, over rdmap32s27");
}

static void test_a_standstill_points_at_the_link_nearest_to_its_cause(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    evidence->has_ended_early = true;
    evidence->ranks[2].report =
        (Report){ .outcome = OUTCOME_TIMED_OUT, .step = 1, .stuck = STUCK_RECEIVING, .peer = 1 };
    evidence->ranks[3].report = (Report){ .outcome = OUTCOME_STOPPED, .step = 2, .stuck = STUCK_RECEIVING, .peer = 2 };

    const Verdict verdict = judged(evidence);

    assert_int_equal(verdict.culprit_count, 0);
    assert_int_equal(verdict.suspect_count, 1);
    assert_int_equal(verdict.suspects[0].from, 1);
    assert_int_equal(verdict.suspects[0].to, 2);
    assert_string_equal(verdict.abort, "ping: timed out at rank 2");
}

static void test_an_all_reduce_below_its_floor_fails_without_a_name(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    evidence->bytes = 1000000;
    evidence->mean_ns = 1000000; // 12000 Mb/s of bus bandwidth
    evidence->bus_floor_mbps = 12001;

    const Verdict verdict = judged(evidence);

    assert_false(verdict.has_passed);
    assert_int_equal(verdict.culprit_count, 0);
    assert_int_equal(verdict_exit_code(&verdict, 0), NODE_EXIT_OTHER);
}

static void test_bus_bandwidth_counts_both_halves_of_an_all_reduce(void **state) {
    (void)state;
    assert_int_equal(verdict_bus_mbps(1000000, 4, 1000000), 12000);
    assert_int_equal(verdict_bus_mbps(1000000, 2, 1000000), 8000);
    assert_int_equal(verdict_bus_mbps(1000000, 2, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sound_run_passes),
        cmocka_unit_test(test_an_absent_rank_is_named),
        cmocka_unit_test(test_an_absent_rank_is_not_named_where_somebody_was_refused),
        cmocka_unit_test(test_a_rank_without_a_fabric_is_named_with_its_reason),
        cmocka_unit_test(test_what_no_rank_has_is_the_fault_of_the_job),
        cmocka_unit_test(test_the_one_rank_that_came_has_nobody_to_be_like),
        cmocka_unit_test(test_a_rank_with_an_interface_too_few_is_named),
        cmocka_unit_test(test_a_rank_with_a_gpu_too_few_is_named),
        cmocka_unit_test(test_a_wrong_chunk_names_the_gpu),
        cmocka_unit_test(test_a_silent_rank_is_named_and_not_who_waits_for_it),
        cmocka_unit_test(test_a_leader_that_loses_everybody_is_cut_off_itself),
        cmocka_unit_test(test_a_rank_that_is_left_over_is_not_cut_off_where_the_leader_is_elsewhere),
        cmocka_unit_test(test_a_wrong_sum_accuses_who_sent_it),
        cmocka_unit_test(test_all_who_sent_wrong_sums_are_named_whenever_they_did),
        cmocka_unit_test(test_slow_to_two_partners_is_the_senders_fault),
        cmocka_unit_test(test_slow_from_two_partners_is_the_receivers_fault),
        cmocka_unit_test(test_one_slow_link_is_suspect_and_nobody_is_named),
        cmocka_unit_test(test_one_slow_link_each_way_names_nobody),
        cmocka_unit_test(test_of_two_ranks_neither_can_be_named),
        cmocka_unit_test(test_half_the_speed_of_the_others_passes),
        cmocka_unit_test(test_a_floor_finds_what_is_slow_everywhere_and_names_nobody),
        cmocka_unit_test(test_two_bad_ranks_far_apart_are_both_named),
        cmocka_unit_test(test_one_bad_interface_is_named),
        cmocka_unit_test(test_a_standstill_points_at_the_link_nearest_to_its_cause),
        cmocka_unit_test(test_an_all_reduce_below_its_floor_fails_without_a_name),
        cmocka_unit_test(test_bus_bandwidth_counts_both_halves_of_an_all_reduce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
