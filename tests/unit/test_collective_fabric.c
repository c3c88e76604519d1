#include "stdlib/node/collective/fabric.h"

#include "tests/support/check.h"

#include <stdlib.h>
#include <sys/resource.h>

static Fabric *open_without_library(char *reason, size_t size) {
    return fabric_open(&(FabricOptions){ .library = "/no/such/file", .provider = "tcp", .lanes_max = 1, .bytes = 4096 },
                       reason, size);
}

static void test_a_library_that_is_not_there_is_a_reason(void **state) {
    (void)state;
    char reason[REASON_BYTES] = "";

    assert_null(open_without_library(reason, sizeof reason));

    assert_non_null(strstr(reason, "libfabric cannot be loaded: /no/such/file"));
}

static void test_as_much_memory_is_locked_as_may_be(void **state) {
    (void)state;
    char reason[REASON_BYTES];
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_MEMLOCK, &limit), 0);
    limit.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_MEMLOCK, &limit), 0);

    assert_null(open_without_library(reason, sizeof reason));

    assert_int_equal(getrlimit(RLIMIT_MEMLOCK, &limit), 0);
    assert_true(limit.rlim_cur == limit.rlim_max);
}

static void test_what_is_sent_to_the_own_host_passes_the_interface(void **state) {
    (void)state;
    char reason[REASON_BYTES];
    assert_int_equal(unsetenv("FI_EFA_ENABLE_SHM_TRANSFER"), 0);

    assert_null(open_without_library(reason, sizeof reason));

    assert_string_equal(getenv("FI_EFA_ENABLE_SHM_TRANSFER"), "0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_library_that_is_not_there_is_a_reason),
        cmocka_unit_test(test_as_much_memory_is_locked_as_may_be),
        cmocka_unit_test(test_what_is_sent_to_the_own_host_passes_the_interface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
