#include "stdlib/node/collective/links.h"

#include "tests/support/run_evidence.h"

static void test_slow_begins_right_below_its_share_of_the_median(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    LinkEvidence *link = &evidence->links[0];
    link->mbps[0] = RATE * SLOW_PERCENT / 100;
    assert_int_equal(links_grade(evidence, link, 0), LINK_LOW);

    link->mbps[0]--;

    assert_int_equal(links_grade(evidence, link, 0), LINK_SLOW);
    free(evidence);
}

static void test_low_begins_right_below_its_share_of_the_median(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    LinkEvidence *link = &evidence->links[0];
    link->mbps[0] = RATE * LOW_PERCENT / 100;
    assert_int_equal(links_grade(evidence, link, 0), LINK_GOOD);

    link->mbps[0]--;

    assert_int_equal(links_grade(evidence, link, 0), LINK_LOW);
    free(evidence);
}

static void test_the_worst_interface_is_the_grade_of_a_link(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    evidence->lane_count = 2;
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        evidence->links[i].mbps[1] = RATE;
    }
    evidence->links[3].mbps[1] = RATE / 2;

    assert_int_equal(links_worst(evidence, &evidence->links[3]), LINK_LOW);
    assert_int_equal(links_worst(evidence, &evidence->links[2]), LINK_GOOD);
    free(evidence);
}

static void test_what_was_not_measured_is_not_low(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    evidence->links[0] = (LinkEvidence){ .from = 0, .to = 1 };

    assert_int_equal(links_worst(evidence, &evidence->links[0]), LINK_GOOD);
    free(evidence);
}

static void test_a_low_sender_passes_with_a_warning_that_names_it(void **state) {
    (void)state;
    Evidence *evidence = a_run(8);
    set_rates(evidence, 3, -1, RATE * 6 / 10);

    const Verdict verdict = judged(evidence);

    assert_true(verdict.has_passed);
    assert_true(verdict.has_low_links);
    assert_int_equal(verdict_exit_code(&verdict, 3), NODE_EXIT_PASS);
    assert_int_equal(verdict.warning_count, 1);
    assert_int_equal(verdict.warnings[0].rank, 3);
    assert_string_equal(verdict.warnings[0].why, "egress at 60 percent of the median with 2 partners");
}

static void test_one_low_link_is_a_warning_of_no_rank(void **state) {
    (void)state;
    Evidence *evidence = a_run(8);
    set_rates(evidence, 3, 4, RATE / 2);

    const Verdict verdict = judged(evidence);

    assert_true(verdict.has_passed);
    assert_int_equal(verdict.warning_count, 1);
    assert_int_equal(verdict.warnings[0].rank, NO_RANK);
    assert_string_equal(verdict.warnings[0].why, "the link from rank 3 to rank 4 carries 50 percent of the median");
}

static void test_a_culprit_is_not_warned_of_as_well(void **state) {
    (void)state;
    Evidence *evidence = a_run(8);
    set_rates(evidence, 3, -1, RATE / 5);
    set_rates(evidence, -1, 3, RATE / 2);

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 3, "egress slow with 2 partners");
    assert_int_equal(verdict.warning_count, 0);
}

static void test_a_bad_sender_and_a_bad_receiver_beside_it_are_told_apart(void **state) {
    (void)state;
    for (uint32_t distance = 1; distance <= 2; distance++) {
        Evidence *evidence = a_run(8);
        set_rates(evidence, 3, -1, RATE / 5);
        set_rates(evidence, -1, 3 + distance, RATE / 5);

        const Verdict verdict = judged(evidence);

        assert_int_equal(verdict.culprit_count, 2);
        assert_int_equal(verdict.culprits[0].rank, 3);
        assert_string_equal(verdict.culprits[0].why, "egress slow with 2 partners");
        assert_int_equal(verdict.culprits[1].rank, 3 + distance);
        assert_string_equal(verdict.culprits[1].why, "ingress slow with 2 partners");
        assert_int_equal(verdict.suspect_count, 0);
    }
}

// The rate may be the processor's: nobody is named, and the verdict says who waited.
static void test_a_slow_link_between_busy_processors_is_not_judged(void **state) {
    (void)state;
    Evidence *evidence = a_run(8);
    set_rates(evidence, 3, -1, RATE / 10);
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        if (evidence->links[i].from == 3) {
            evidence->links[i].possible_mbps[0] = RATE;
            evidence->links[i].waited_rank = 3;
            evidence->links[i].waited_percent = 90;
        }
    }

    const Verdict verdict = judged(evidence);

    assert_true(verdict.has_passed);
    assert_int_equal(verdict.warning_count, 1);
    assert_int_equal(verdict.warnings[0].rank, NO_RANK);
    assert_string_equal(verdict.warnings[0].why,
                        "2 of 16 links may be better: the processors were the limit; rank 3 waited 90 "
                        "percent of the time");
}

static void test_a_link_that_is_slow_without_the_waiting_is_slow(void **state) {
    (void)state;
    Evidence *evidence = a_run(8);
    set_rates(evidence, 3, -1, RATE / 10);
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        evidence->links[i].possible_mbps[0] = evidence->links[i].from == 3 ? RATE * SLOW_PERCENT / 100 - 1 : RATE;
    }

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 3, "egress slow with 2 partners");
}

// Answers of pings go the other way: four links in, one of which had luck.
static void test_who_loses_most_of_its_traffic_is_named_though_some_gets_through(void **state) {
    (void)state;
    Evidence *evidence = a_run(8);
    evidence->has_ended_early = true;
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        evidence->links[i].is_measured = false;
        evidence->links[i].broken_lanes = evidence->links[i].from == 1 && evidence->links[i].to == 2;
    }
    for (uint32_t from = 3; from <= 4; from++) {
        evidence->links[evidence->link_count++] = (LinkEvidence){ .from = from, .to = 2, .broken_lanes = 1 };
    }

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 2, "ingress broken with 3 partners");
}

static void test_a_link_to_a_rank_that_is_gone_is_not_its_partners_fault(void **state) {
    (void)state;
    Evidence *evidence = a_run(8);
    evidence->has_ended_early = true;
    evidence->ranks[2].presence = PRESENCE_SILENT;
    for (uint32_t i = 0; i < evidence->link_count; i++) {
        evidence->links[i].broken_lanes = evidence->links[i].to == 2 || evidence->links[i].from == 2;
    }

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 2, "no report");
    assert_int_equal(verdict.suspect_count, 0);
}

static void test_links_below_the_rate_of_the_type_are_one_warning(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    evidence->link_warn_mbps = RATE;
    assert_int_equal(judged(evidence).warning_count, 0);
    evidence = a_run(4);
    evidence->link_warn_mbps = RATE;
    set_rates(evidence, 2, -1, RATE - 1);
    set_rates(evidence, 2, 3, RATE - 2);

    const Verdict verdict = judged(evidence);

    assert_true(verdict.has_passed);
    assert_int_equal(verdict.warning_count, 1);
    assert_int_equal(verdict.warnings[0].rank, NO_RANK);
    assert_string_equal(verdict.warnings[0].why,
                        "2 of 8 links carry less than 1000 Mb/s; from rank 2 to rank 3: 998 Mb/s");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_begins_right_below_its_share_of_the_median),
        cmocka_unit_test(test_low_begins_right_below_its_share_of_the_median),
        cmocka_unit_test(test_the_worst_interface_is_the_grade_of_a_link),
        cmocka_unit_test(test_what_was_not_measured_is_not_low),
        cmocka_unit_test(test_a_low_sender_passes_with_a_warning_that_names_it),
        cmocka_unit_test(test_one_low_link_is_a_warning_of_no_rank),
        cmocka_unit_test(test_a_culprit_is_not_warned_of_as_well),
        cmocka_unit_test(test_links_below_the_rate_of_the_type_are_one_warning),
        cmocka_unit_test(test_a_bad_sender_and_a_bad_receiver_beside_it_are_told_apart),
        cmocka_unit_test(test_a_slow_link_between_busy_processors_is_not_judged),
        cmocka_unit_test(test_a_link_that_is_slow_without_the_waiting_is_slow),
        cmocka_unit_test(test_who_loses_most_of_its_traffic_is_named_though_some_gets_through),
        cmocka_unit_test(test_a_link_to_a_rank_that_is_gone_is_not_its_partners_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
