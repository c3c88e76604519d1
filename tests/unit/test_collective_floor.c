#include "stdlib/node/collective/floor.h"

#include "stdlib/node/collective/ranks.h"
#include "tests/support/check.h"

static const uint64_t GIB = UINT64_C(1) << 30;
static const uint64_t MIB = UINT64_C(1) << 20;

// An all-reduce of two whole p5.48xlarge, with messages of 8 bytes, twice as many, and so on, and of `largest_size`.
static Benchmark a_benchmark(uint64_t largest_size) {
    Benchmark benchmark = {
        .collective = "all_reduce_perf", .largest_size = largest_size, .nodes = 2, .ranks = 16, .peak_factor = 1.875
    };
    for (uint64_t size = 8; size < largest_size; size *= 2) {
        benchmark.sizes[benchmark.size_count++] = size;
    }
    benchmark.sizes[benchmark.size_count++] = largest_size;
    return benchmark;
}

static Floor chosen(const Benchmark *benchmark) {
    return floor_choose(&(FloorHints){ .type = "p5.48xlarge" }, benchmark);
}

static void assert_why(const Benchmark *benchmark, const char *type, const char *why) {
    const Floor floor = floor_choose(&(FloorHints){ .type = type }, benchmark);
    assert_int_equal(floor.from, FLOOR_NONE);
    assert_true(floor.gbs == 0);
    assert_string_equal(floor.why, why);
}

static void test_a_floor_is_80_percent_of_the_largest_messages_measured(void **state) {
    (void)state;
    const Benchmark benchmark = a_benchmark(16 * GIB);

    const Floor floor = chosen(&benchmark);

    assert_int_equal(floor.from, FLOOR_MEASUREMENT);
    assert_int_equal(floor.measured->bytes, 16 * GIB);
    assert_true(floor.gbs > 389.671 && floor.gbs < 389.673);
}

static void test_a_measurement_of_larger_messages_does_not_count(void **state) {
    (void)state;
    const Benchmark benchmark = a_benchmark(16 * GIB - 1);

    assert_int_equal(chosen(&benchmark).measured->bytes, 8 * GIB);
}

static void test_the_smallest_messages_measured_have_a_floor_and_smaller_ones_have_none(void **state) {
    (void)state;
    const Benchmark least = a_benchmark(128 * MIB);
    const Benchmark smaller = a_benchmark(128 * MIB - 4);

    assert_int_equal(chosen(&least).from, FLOOR_MEASUREMENT);
    assert_why(&smaller, "p5.48xlarge",
               "messages of 134217724 bytes at most, and 134217728 are the fewest that were measured");
}

static void test_a_size_that_nobody_measured_has_no_floor(void **state) {
    (void)state;
    Benchmark benchmark = a_benchmark(16 * GIB);
    benchmark.sizes[0] = 16 * GIB - 4;
    benchmark.size_count = 1;

    assert_why(&benchmark, "p5.48xlarge", "no row of a size that was measured, such as 134217728 bytes");
}

static void test_a_measurement_below_the_sizes_of_interest_does_not_count(void **state) {
    (void)state;
    Benchmark benchmark = a_benchmark(32 * GIB);
    benchmark.size_least = 17 * GIB;

    assert_int_equal(chosen(&benchmark).from, FLOOR_NONE);
    benchmark.size_least = 16 * GIB;
    assert_int_equal(chosen(&benchmark).measured->bytes, 16 * GIB);
}

static void test_a_node_with_a_part_of_its_interfaces_has_no_floor(void **state) {
    (void)state;
    const Benchmark benchmark = a_benchmark(16 * GIB);

    const Floor few = floor_choose(&(FloorHints){ .type = "p5.48xlarge", .interfaces = 8 }, &benchmark);
    const Floor all = floor_choose(&(FloorHints){ .type = "p5.48xlarge", .interfaces = 32 }, &benchmark);

    assert_int_equal(few.from, FLOOR_NONE);
    assert_string_equal(few.why, "8 EFA interfaces, and nodes with 32 were measured");
    assert_int_equal(all.from, FLOOR_MEASUREMENT);
}

static void test_another_number_of_nodes_has_no_floor(void **state) {
    (void)state;
    Benchmark benchmark = a_benchmark(16 * GIB);
    benchmark.nodes = 3;

    assert_why(&benchmark, "p5.48xlarge", "no measurement of 3 x p5.48xlarge");
}

static void test_another_number_of_ranks_has_no_floor(void **state) {
    (void)state;
    Benchmark benchmark = a_benchmark(16 * GIB);
    benchmark.ranks = 2;

    assert_why(&benchmark, "p5.48xlarge", "2 ranks, and 16 were measured");
}

static void test_a_type_without_a_measurement_has_no_floor(void **state) {
    (void)state;
    const Benchmark benchmark = a_benchmark(16 * GIB);

    assert_why(&benchmark, "p5.4xlarge", "no measurement of 2 x p5.4xlarge");
}

static void test_an_unknown_type_has_no_floor(void **state) {
    (void)state;
    const Benchmark benchmark = a_benchmark(16 * GIB);

    assert_why(&benchmark, "", "no instance type: give --type, or a record by --expect");
}

static void test_nodes_that_were_given_go_before_hosts_that_were_counted(void **state) {
    (void)state;
    Benchmark benchmark = a_benchmark(8 * GIB);
    benchmark.nodes = 16;

    const Floor floor = floor_choose(&(FloorHints){ .type = "p5.48xlarge", .nodes = 2 }, &benchmark);

    assert_int_equal(floor.measured->nodes, 2);
}

static void test_another_collective_has_no_floor(void **state) {
    (void)state;
    Benchmark benchmark = a_benchmark(16 * GIB);
    text_into(benchmark.collective, sizeof benchmark.collective, "reduce_scatter_perf");

    assert_why(&benchmark, "p5.48xlarge", "all-reduces are measured, and this is reduce_scatter_perf");
}

static void test_an_all_reduce_without_a_name_is_known_by_its_two_bandwidths(void **state) {
    (void)state;
    Benchmark benchmark = a_benchmark(16 * GIB);
    benchmark.collective[0] = '\0';

    assert_int_equal(chosen(&benchmark).from, FLOOR_MEASUREMENT);
    benchmark.peak_factor = 1;
    assert_why(&benchmark, "p5.48xlarge", "all-reduces are measured, and nothing says that this is one");
}

static void test_what_was_given_goes_before_the_record_and_that_before_a_measurement(void **state) {
    (void)state;
    const Benchmark benchmark = a_benchmark(16 * GIB);
    FloorHints hints = { .type = "p5.48xlarge", .is_given = true, .given_gbs = 100, .record_gbs = 200 };

    assert_true(floor_choose(&hints, &benchmark).gbs == 100);
    hints.is_given = false;
    assert_true(floor_choose(&hints, &benchmark).gbs == 200);
    hints.record_gbs = 0;
    assert_int_equal(floor_choose(&hints, &benchmark).from, FLOOR_MEASUREMENT);
}

static void test_a_floor_of_0_that_was_given_is_none(void **state) {
    (void)state;
    const Benchmark benchmark = a_benchmark(16 * GIB);
    const FloorHints hints = { .type = "p5.48xlarge", .is_given = true, .record_gbs = 200 };

    assert_int_equal(floor_choose(&hints, &benchmark).from, FLOOR_NONE);
}

// ---- who took part

static Benchmark read_text(const char *text) {
    Benchmark benchmark = { 0 };
    benchmark_read(text, strlen(text), &benchmark);
    return benchmark;
}

static void test_hosts_are_counted_once(void **state) {
    (void)state;

    const Benchmark benchmark = read_text("#  Rank  0 Group  0 Pid 1 on a device  0 [0000:53:00] NVIDIA H100\n"
                                          "#  Rank  1 Group  0 Pid 2 on a device  1 [0000:64:00] NVIDIA H100\n"
                                          "#  Rank  2 Group  0 Pid 1 on b device  0 [0000:53:00] NVIDIA H100\n");

    assert_int_equal(benchmark.nodes, 2);
    assert_int_equal(benchmark.ranks, 3);
    assert_null(benchmark.mixed);
}

static void test_a_line_that_ends_early_is_no_rank(void **state) {
    (void)state;

    assert_int_equal(read_text("#  Rank  0 Group  0 Pid 1 on a\n").ranks, 0);
    assert_int_equal(read_text("#  Rank  0 Group\n#  Rank\n# Rank 0\nRank 0 Pid 1 on a device 0\n").ranks, 0);
}

static void test_a_second_run_on_as_many_nodes_is_no_other_one(void **state) {
    (void)state;

    const Benchmark benchmark = read_text("# Using devices\n#  Rank  0 Pid 1 on a device  0 [0x53] NVIDIA H100\n"
                                          "# Using devices\n#  Rank  0 Pid 2 on b device  0 [0x53] NVIDIA H100\n");

    assert_null(benchmark.mixed);
    assert_int_equal(benchmark.nodes, 1);
}

static void test_processes_that_know_nothing_of_each_other_are_one_node(void **state) {
    (void)state;

    const Benchmark alone = read_text("# Using devices\n# Using devices\n"
                                      "#  Rank  0 Pid 1 on a device  0 [0x53] NVIDIA H100\n"
                                      "#  Rank  0 Pid 2 on b device  0 [0x53] NVIDIA H100\n");
    const Benchmark together = read_text("# Using devices\n"
                                         "#  Rank  0 Pid 1 on a device  0 [0x53] NVIDIA H100\n"
                                         "#  Rank  1 Pid 2 on b device  0 [0x53] NVIDIA H100\n");

    assert_int_equal(alone.nodes, 1);
    assert_int_equal(together.nodes, 2);
}

static void test_more_hosts_than_there_is_room_for_count_as_one(void **state) {
    (void)state;
    enum { MORE = RANKS_HOSTS_MAX + 100, NAME_BYTES = 8 };
    static char names[MORE][NAME_BYTES];
    static Ranks ranks;
    Benchmark benchmark = { 0 };
    for (int i = 0; i < MORE; i++) {
        text_into(names[i], NAME_BYTES, "n%d", i);
        ranks_add(&ranks, (uint64_t)i, names[i], strlen(names[i]), false);
    }

    ranks_end(&ranks, &benchmark);

    assert_int_equal(benchmark.nodes, RANKS_HOSTS_MAX + 1);
    assert_int_equal(benchmark.ranks, MORE);
}

static void test_gigabytes_of_nccom_test_have_2_to_the_30_bytes(void **state) {
    (void)state;

    const Benchmark benchmark = read_text("size(B) count(elems) type time(us) algbw(GB/s) busbw(GB/s)\n"
                                          "1073741824 1073741824 uint8 21750 45.98 100.00\n");

    assert_true(benchmark.peak_gbs > 107.374 && benchmark.peak_gbs < 107.375);
    assert_true(benchmark.peak_factor > 2.17 && benchmark.peak_factor < 2.18);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_floor_is_80_percent_of_the_largest_messages_measured),
        cmocka_unit_test(test_a_measurement_of_larger_messages_does_not_count),
        cmocka_unit_test(test_the_smallest_messages_measured_have_a_floor_and_smaller_ones_have_none),
        cmocka_unit_test(test_a_size_that_nobody_measured_has_no_floor),
        cmocka_unit_test(test_a_measurement_below_the_sizes_of_interest_does_not_count),
        cmocka_unit_test(test_a_node_with_a_part_of_its_interfaces_has_no_floor),
        cmocka_unit_test(test_another_number_of_nodes_has_no_floor),
        cmocka_unit_test(test_another_number_of_ranks_has_no_floor),
        cmocka_unit_test(test_a_type_without_a_measurement_has_no_floor),
        cmocka_unit_test(test_an_unknown_type_has_no_floor),
        cmocka_unit_test(test_nodes_that_were_given_go_before_hosts_that_were_counted),
        cmocka_unit_test(test_another_collective_has_no_floor),
        cmocka_unit_test(test_an_all_reduce_without_a_name_is_known_by_its_two_bandwidths),
        cmocka_unit_test(test_what_was_given_goes_before_the_record_and_that_before_a_measurement),
        cmocka_unit_test(test_a_floor_of_0_that_was_given_is_none),
        cmocka_unit_test(test_hosts_are_counted_once),
        cmocka_unit_test(test_a_line_that_ends_early_is_no_rank),
        cmocka_unit_test(test_a_second_run_on_as_many_nodes_is_no_other_one),
        cmocka_unit_test(test_processes_that_know_nothing_of_each_other_are_one_node),
        cmocka_unit_test(test_more_hosts_than_there_is_room_for_count_as_one),
        cmocka_unit_test(test_gigabytes_of_nccom_test_have_2_to_the_30_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
