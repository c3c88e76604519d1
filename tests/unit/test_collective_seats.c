#include "stdlib/node/collective/seats.h"

#include "stdlib/node/collective/clock.h"
#include "tests/support/check.h"

#include <sys/socket.h>
#include <unistd.h>

typedef struct Table {
    Job job;
    Seats seats;
    int ranks[2]; // the other ends
} Table;

// Two ranks that have joined and are doing step 7.
static Table *a_table(void) {
    Table *table = calloc(1, sizeof *table);
    table->job.n = 2;
    table->job.token = token_of("job");
    seats_begin(&table->seats, &table->job, -1);
    table->seats.is_gathering = false;
    table->seats.next_beat_ns = UINT64_MAX;
    table->seats.go = (Go){ .serial = 7, .phase = PHASE_TIMED };
    table->seats.evidence.n = 2;
    for (int i = 0; i < 2; i++) {
        int pair[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
        table->seats.ranks[i] = (Seat){ .inbox.fd = pair[0], .is_awaited = true };
        table->seats.evidence.ranks[i].presence = PRESENCE_JOINED;
        table->ranks[i] = pair[1];
    }
    return table;
}

static void say(Table *table, uint32_t rank, MessageKind kind, uint32_t serial) {
    const Message message = { .kind = kind,
                              .token = table->job.token,
                              .rank = rank,
                              .as.report = { .serial = serial, .phase = PHASE_TIMED, .outcome = OUTCOME_TIMED_OUT } };
    assert_true(wire_send(table->ranks[rank], &message));
    seats_tick(&table->seats, clock_ns());
}

static void clear(Table *table) {
    for (int i = 0; i < 2; i++) {
        close(table->ranks[i]);
        close(table->seats.ranks[i].inbox.fd);
    }
    free(table);
}

static void test_a_rank_that_is_done_is_no_longer_awaited(void **state) {
    (void)state;
    Table *table = a_table();

    say(table, 1, MESSAGE_DONE, 7);

    assert_int_equal(seats_awaited(&table->seats), 1);
    assert_true(table->seats.has_trouble);
    clear(table);
}

static void test_an_answer_to_another_step_is_none(void **state) {
    (void)state;
    Table *table = a_table();

    say(table, 1, MESSAGE_DONE, 6);

    assert_int_equal(seats_awaited(&table->seats), 2);
    clear(table);
}

static void test_only_a_report_answers_the_order_to_stop(void **state) {
    (void)state;
    Table *table = a_table();
    table->seats.is_stopping = true;

    say(table, 0, MESSAGE_DONE, 7);
    assert_int_equal(seats_awaited(&table->seats), 2);
    say(table, 0, MESSAGE_REPORT, 7);

    assert_int_equal(seats_awaited(&table->seats), 1);
    assert_int_equal(table->seats.evidence.ranks[0].report.outcome, OUTCOME_TIMED_OUT);
    clear(table);
}

static void test_a_rank_that_hangs_up_is_lost(void **state) {
    (void)state;
    Table *table = a_table();
    shutdown(table->ranks[1], SHUT_RDWR);

    seats_tick(&table->seats, clock_ns());

    assert_int_equal(table->seats.evidence.ranks[1].presence, PRESENCE_LOST);
    assert_int_equal(seats_taken(&table->seats), 1);
    assert_true(table->seats.has_trouble);
    clear(table);
}

static void test_a_rank_that_hangs_up_while_others_come_may_come_again(void **state) {
    (void)state;
    Table *table = a_table();
    table->seats.is_gathering = true;
    shutdown(table->ranks[1], SHUT_RDWR);

    seats_tick(&table->seats, clock_ns());

    assert_int_equal(table->seats.evidence.ranks[1].presence, PRESENCE_ABSENT);
    assert_false(table->seats.has_trouble);
    clear(table);
}

static void test_who_speaks_for_another_rank_is_lost(void **state) {
    (void)state;
    Table *table = a_table();
    const Message message = { .kind = MESSAGE_DONE, .token = table->job.token, .rank = 0 };
    assert_true(wire_send(table->ranks[1], &message));

    seats_tick(&table->seats, clock_ns());

    assert_int_equal(table->seats.evidence.ranks[0].presence, PRESENCE_JOINED);
    assert_int_equal(table->seats.evidence.ranks[1].presence, PRESENCE_LOST);
    clear(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rank_that_is_done_is_no_longer_awaited),
        cmocka_unit_test(test_an_answer_to_another_step_is_none),
        cmocka_unit_test(test_only_a_report_answers_the_order_to_stop),
        cmocka_unit_test(test_a_rank_that_hangs_up_is_lost),
        cmocka_unit_test(test_a_rank_that_hangs_up_while_others_come_may_come_again),
        cmocka_unit_test(test_who_speaks_for_another_rank_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
