#include "stdlib/node/collective/fabric.h"

#include "tests/support/check.h"

#include <stdlib.h>

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

static void test_what_is_sent_to_the_own_host_passes_the_interface(void **state) {
    (void)state;
    char reason[REASON_BYTES];
    assert_int_equal(unsetenv("FI_EFA_ENABLE_SHM_TRANSFER"), 0);

    assert_null(open_without_library(reason, sizeof reason));

    assert_string_equal(getenv("FI_EFA_ENABLE_SHM_TRANSFER"), "0");
}

static void test_without_memory_of_gpus_libfabric_looks_for_none(void **state) {
    (void)state;
    char reason[REASON_BYTES];
    const FabricOptions of_gpu = { .library = "/no/such/file", .provider = "efa", .lanes_max = 1, .gpu_count = 1 };
    assert_int_equal(unsetenv("FI_HMEM"), 0);
    assert_null(fabric_open(&of_gpu, reason, sizeof reason));
    assert_null(getenv("FI_HMEM"));

    assert_null(open_without_library(reason, sizeof reason));

    assert_string_equal(getenv("FI_HMEM"), "system");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_library_that_is_not_there_is_a_reason),
        cmocka_unit_test(test_without_memory_of_gpus_libfabric_looks_for_none),
        cmocka_unit_test(test_what_is_sent_to_the_own_host_passes_the_interface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
