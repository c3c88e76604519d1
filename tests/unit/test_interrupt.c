#include "compiler/base/interrupt.h"

#include "tests/support/check.h"

static void test_a_signal_is_noted_until_the_next_hold(void **state) {
    (void)state;
    Interrupts before;

    interrupts_hold(&before);
    assert_false(interrupt_came());
    raise(SIGINT);
    interrupts_release(&before);
    assert_true(interrupt_came());
    interrupts_hold(&before);
    assert_false(interrupt_came());
    interrupts_release(&before);
}

static void test_a_hold_within_a_hold_forgets_nothing(void **state) {
    (void)state;
    Interrupts outer;
    Interrupts inner;

    interrupts_hold(&outer);
    raise(SIGTERM);
    interrupts_hold(&inner);
    assert_true(interrupt_came());
    interrupts_release(&inner);
    raise(SIGTERM); // still held
    interrupts_release(&outer);
}

static void test_a_signal_that_is_ignored_stays_ignored(void **state) {
    (void)state;
    Interrupts before;
    signal(SIGINT, SIG_IGN);

    interrupts_hold(&before);
    raise(SIGINT);
    assert_false(interrupt_came());
    interrupts_release(&before);

    assert_true(signal(SIGINT, SIG_DFL) == SIG_IGN);
}

int main(void) {
    signal(SIGINT, SIG_DFL); // a shell makes its background jobs deaf to it
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_signal_is_noted_until_the_next_hold),
        cmocka_unit_test(test_a_hold_within_a_hold_forgets_nothing),
        cmocka_unit_test(test_a_signal_that_is_ignored_stays_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
