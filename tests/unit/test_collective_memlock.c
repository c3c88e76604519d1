#include "stdlib/node/collective/memlock.h"

#include "tests/support/check.h"

#include <sys/resource.h>

static void test_the_capability_that_lifts_the_limit_is_one_bit(void **state) {
    (void)state;
    assert_true(memlock_is_lifted("Name:\tx\nCapPrm:\t0000000000000000\nCapEff:\t0000000000004000\nCapBnd:\t0\n"));
    assert_true(memlock_is_lifted("Name:\tx\nCapEff:\t000001ffffffffff\n"));
    assert_false(memlock_is_lifted("Name:\tx\nCapEff:\t000001ffffffbfff\n"));
    assert_false(memlock_is_lifted("Name:\tCapEff:\t000001ffffffffff\n"));
    assert_false(memlock_is_lifted(""));
}

static void test_the_limit_is_raised_to_the_most_that_it_may_be(void **state) {
    (void)state;
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_MEMLOCK, &limit), 0);
    limit.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_MEMLOCK, &limit), 0);

    const uint32_t mib = memlock_raise();

    assert_int_equal(getrlimit(RLIMIT_MEMLOCK, &limit), 0);
    assert_true(limit.rlim_cur == limit.rlim_max);
    assert_true(mib == MEMLOCK_NO_LIMIT || mib == limit.rlim_max >> 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_capability_that_lifts_the_limit_is_one_bit),
        cmocka_unit_test(test_the_limit_is_raised_to_the_most_that_it_may_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
