#include "stdlib/node/collective/counters.h"

#include "tests/support/run_evidence.h"

static void grow(Evidence *evidence, uint32_t rank, uint32_t counter, uint64_t by) {
    evidence->ranks[rank].report.counters[counter] = by;
}

static void test_a_peer_that_did_not_answer_is_a_warning(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    grow(evidence, 2, COUNTER_unresponsive_remote_events, 3);

    const Verdict verdict = judged(evidence);

    assert_true(verdict.has_passed);
    assert_false(verdict.has_low_links);
    assert_int_equal(verdict.warning_count, 1);
    assert_int_equal(verdict.warnings[0].rank, 2);
    assert_string_equal(verdict.warnings[0].why, "unresponsive_remote_events of its EFA interfaces grew by 3");
}

static void test_impaired_peers_are_a_warning_even_where_all_ranks_have_them(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    for (uint32_t i = 0; i < 4; i++) {
        grow(evidence, i, COUNTER_impaired_remote_conn_events, 1);
    }

    assert_int_equal(judged(evidence).warning_count, 4);
}

static void test_packets_sent_again_are_a_warning_where_most_ranks_have_none(void **state) {
    (void)state;
    for (uint32_t ranks = 1; ranks <= 8; ranks++) {
        Evidence *evidence = a_run(8);
        for (uint32_t i = 0; i < ranks; i++) {
            grow(evidence, i, COUNTER_retrans_pkts, 1000);
        }

        assert_int_equal(judged(evidence).warning_count, ranks < 4 ? ranks : 0);
    }
}

static void test_packets_that_a_late_receiver_drops_are_only_shown(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    grow(evidence, 1, COUNTER_rx_drops, 1);

    assert_int_equal(judged(evidence).warning_count, 0);
}

static void test_of_a_run_that_failed_they_are_no_warning(void **state) {
    (void)state;
    Evidence *evidence = a_run(4);
    evidence->ranks[1].presence = PRESENCE_LOST;
    evidence->has_ended_early = true;
    grow(evidence, 0, COUNTER_unresponsive_remote_events, 1);

    const Verdict verdict = judged(evidence);

    assert_only_culprit(&verdict, 1, "connection lost");
    assert_int_equal(verdict.warning_count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_peer_that_did_not_answer_is_a_warning),
        cmocka_unit_test(test_impaired_peers_are_a_warning_even_where_all_ranks_have_them),
        cmocka_unit_test(test_packets_sent_again_are_a_warning_where_most_ranks_have_none),
        cmocka_unit_test(test_packets_that_a_late_receiver_drops_are_only_shown),
        cmocka_unit_test(test_of_a_run_that_failed_they_are_no_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
