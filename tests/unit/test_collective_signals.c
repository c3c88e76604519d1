#include "stdlib/node/collective/signals.h"

#include "tests/support/check.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_an_order_to_end_is_noticed_and_not_obeyed(void **state) {
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        signals_hold();
        const bool was_quiet = !signals_have_come();
        kill(getpid(), SIGTERM);
        _exit(was_quiet && signals_have_come() && signals_have_come() ? 7 : 1);
    }
    int status = 0;

    assert_int_equal(waitpid(child, &status, 0), child);

    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
}

static void test_what_was_released_obeys(void **state) {
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        signals_hold();
        signals_release();
        kill(getpid(), SIGTERM);
        _exit(7);
    }
    int status = 0;

    assert_int_equal(waitpid(child, &status, 0), child);

    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_order_to_end_is_noticed_and_not_obeyed),
        cmocka_unit_test(test_what_was_released_obeys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
