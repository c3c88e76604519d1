#include "stdlib/node/collective/step.h"

#include "tests/support/check.h"

static void test_a_partial_sum_is_the_sum_of_its_ranks(void **state) {
    (void)state;
    const uint32_t n = 7;
    for (uint32_t element = 0; element < 1000; element++) {
        for (uint32_t first = 0; first < n; first++) {
            float sum = 0;
            for (uint32_t count = 1; count <= n; count++) {
                sum += step_partial_sum(element, 3, (first + count - 1) % n, 1, n);
                assert_true(step_partial_sum(element, 3, first, count, n) == sum);
            }
        }
    }
}

static void test_the_largest_sum_is_a_whole_number_that_a_float_holds(void **state) {
    (void)state;
    float largest = 0;
    for (uint32_t element = 0; element < 100000; element++) {
        const float sum = step_partial_sum(element, 0, 0, RANKS_MAX, RANKS_MAX);
        largest = sum > largest ? sum : largest;
    }
    assert_true(largest > 60000);
    assert_true(largest < 16777216);
}

static void test_ranks_put_in_different_numbers(void **state) {
    (void)state;
    unsigned same = 0;
    for (uint32_t element = 0; element < 3200; element++) {
        same += step_partial_sum(element, 0, 0, 1, 8) == step_partial_sum(element, 0, 1, 1, 8);
    }
    assert_true(same < 200);
}

static void test_memory_holds_a_chunk_more_than_the_ring_and_the_small_messages(void **state) {
    (void)state;
    assert_int_equal(step_memory_bytes(1 << 20, 4), (1 << 20) / 4 * 5 + 4 * LANES_MAX * PING_BYTES);
}

static void test_an_all_reduce_is_of_whole_chunks(void **state) {
    (void)state;
    const size_t unit = sizeof(float) * LANES_MAX;
    assert_int_equal(step_ring_bytes(64 << 20, 4), 64 << 20);
    assert_int_equal(step_ring_bytes((64 << 20) + 4 * unit - 1, 4), 64 << 20);
    assert_int_equal(step_ring_bytes(64 << 20, 3), ((64 << 20) / 3) / unit * unit * 3);
    assert_int_equal(step_ring_bytes(4096, RANKS_MAX), RANKS_MAX * unit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_partial_sum_is_the_sum_of_its_ranks),
        cmocka_unit_test(test_the_largest_sum_is_a_whole_number_that_a_float_holds),
        cmocka_unit_test(test_ranks_put_in_different_numbers),
        cmocka_unit_test(test_an_all_reduce_is_of_whole_chunks),
        cmocka_unit_test(test_memory_holds_a_chunk_more_than_the_ring_and_the_small_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
