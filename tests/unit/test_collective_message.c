#include "stdlib/node/collective/message.h"

#include "tests/support/check.h"

static Message a_report(void) {
    return (Message){ .kind = MESSAGE_REPORT,
                      .token = token_of("job"),
                      .rank = 63,
                      .as.report = { .serial = 4000000000,
                                     .phase = PHASE_TIMED,
                                     .outcome = OUTCOME_BROKEN,
                                     .iteration = 7,
                                     .step = 13,
                                     .stuck = STUCK_SENDING,
                                     .peer = 62,
                                     .wrong_count = 3,
                                     .wrong_peer = 61,
                                     .wrong_iteration = 5,
                                     .wrong_step = 126,
                                     .total_ns = UINT64_C(0x1122334455667788),
                                     .mbps = { [31] = UINT32_MAX },
                                     .counters = { [COUNTER_retrans_pkts] = 9 },
                                     .reason = "no route" } };
}

static void test_a_report_arrives_as_it_was_sent(void **state) {
    (void)state;
    const Message sent = a_report();
    uint8_t bytes[MESSAGE_BYTES];
    Message received;

    message_encode(&sent, bytes);

    assert_true(message_decode(bytes, &received));
    assert_memory_equal(&received.as.report, &sent.as.report, sizeof sent.as.report);
    assert_int_equal(received.rank, 63);
    assert_true(token_equal(&received.token, &sent.token));
}

static void test_numbers_are_little_endian_at_fixed_places(void **state) {
    (void)state;
    const Message message = { .kind = MESSAGE_END, .rank = 2, .as.exit_code = 3 };
    uint8_t bytes[MESSAGE_BYTES];

    message_encode(&message, bytes);

    assert_memory_equal(bytes, "DTCOLL\r\n\3\0\0\0\11\0\0\0", 16);
    assert_int_equal(bytes[32], 2);
    assert_int_equal(bytes[36], 3);
}

static void test_another_magic_is_no_message(void **state) {
    (void)state;
    const Message message = a_report();
    uint8_t bytes[MESSAGE_BYTES];
    Message received;
    message_encode(&message, bytes);

    bytes[0] = 'd';

    assert_false(message_decode(bytes, &received));
}

static void test_another_version_is_no_message(void **state) {
    (void)state;
    const Message message = a_report();
    uint8_t bytes[MESSAGE_BYTES];
    Message received;
    message_encode(&message, bytes);

    bytes[8] = MESSAGE_VERSION + 1;

    assert_false(message_decode(bytes, &received));
}

static void test_an_unknown_kind_is_no_message(void **state) {
    (void)state;
    const Message message = { .kind = MESSAGE_BEAT };
    uint8_t bytes[MESSAGE_BYTES];
    Message received;
    message_encode(&message, bytes);

    bytes[12] = MESSAGE_KINDS;

    assert_false(message_decode(bytes, &received));
}

static void test_a_rank_out_of_bounds_is_no_message(void **state) {
    (void)state;
    const Message message = { .kind = MESSAGE_BEAT };
    uint8_t bytes[MESSAGE_BYTES];
    Message received;
    message_encode(&message, bytes);
    bytes[32] = RANKS_MAX - 1;
    assert_true(message_decode(bytes, &received));

    bytes[32] = RANKS_MAX;

    assert_false(message_decode(bytes, &received));
}

static void test_an_address_longer_than_its_room_is_no_message(void **state) {
    (void)state;
    const Message message = { .kind = MESSAGE_LANE, .as.lane = { .len = ADDRESS_BYTES } };
    uint8_t bytes[MESSAGE_BYTES];
    Message received;
    message_encode(&message, bytes);
    assert_true(message_decode(bytes, &received));

    bytes[44]++;

    assert_false(message_decode(bytes, &received));
}

static void test_a_string_without_an_end_is_no_message(void **state) {
    (void)state;
    const Message message = { .kind = MESSAGE_PIECE };
    uint8_t bytes[MESSAGE_BYTES];
    Message received;
    message_encode(&message, bytes);

    memset(bytes + 36, 'a', PIECE_BYTES);

    assert_false(message_decode(bytes, &received));
}

static void test_a_string_with_a_control_character_is_no_message(void **state) {
    (void)state;
    const Message message = { .kind = MESSAGE_REFUSE, .as.text = "no" };
    uint8_t bytes[MESSAGE_BYTES];
    Message received;
    message_encode(&message, bytes);

    bytes[37] = 0x1b;

    assert_false(message_decode(bytes, &received));
}

static void test_a_string_is_sent_printable_and_ended(void **state) {
    (void)state;
    Message message = { .kind = MESSAGE_JOIN,
                        .as.join = { .host = "n\xc3\xb6"
                                             "de\n" } };
    uint8_t bytes[MESSAGE_BYTES];
    Message received;
    memset(message.as.join.reason, 'x', REASON_BYTES);

    message_encode(&message, bytes);

    assert_true(message_decode(bytes, &received));
    assert_string_equal(received.as.join.host, "n??de?");
    assert_int_equal(strlen(received.as.join.reason), REASON_BYTES - 1);
}

static void test_bytes_behind_the_end_are_no_message(void **state) {
    (void)state;
    const Message message = { .kind = MESSAGE_STOP };
    uint8_t bytes[MESSAGE_BYTES];
    Message received;
    message_encode(&message, bytes);

    bytes[MESSAGE_BYTES - 1] = 1;

    assert_false(message_decode(bytes, &received));
}

static void test_jobs_of_other_names_have_other_tokens(void **state) {
    (void)state;
    const Token a = token_of("1234");
    const Token b = token_of("1235");
    const Token c = token_of("1234");

    assert_false(token_equal(&a, &b));
    assert_true(token_equal(&a, &c));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_report_arrives_as_it_was_sent),
        cmocka_unit_test(test_numbers_are_little_endian_at_fixed_places),
        cmocka_unit_test(test_another_magic_is_no_message),
        cmocka_unit_test(test_another_version_is_no_message),
        cmocka_unit_test(test_an_unknown_kind_is_no_message),
        cmocka_unit_test(test_a_rank_out_of_bounds_is_no_message),
        cmocka_unit_test(test_an_address_longer_than_its_room_is_no_message),
        cmocka_unit_test(test_a_string_without_an_end_is_no_message),
        cmocka_unit_test(test_a_string_with_a_control_character_is_no_message),
        cmocka_unit_test(test_a_string_is_sent_printable_and_ended),
        cmocka_unit_test(test_bytes_behind_the_end_are_no_message),
        cmocka_unit_test(test_jobs_of_other_names_have_other_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
