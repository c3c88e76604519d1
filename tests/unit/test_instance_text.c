#include "compiler/driver/command/instance_text.h"

#include "schema/instances.h"
#include "tests/support/own_rows.h"
#include "tests/support/check.h"

static int set_up(void **state) {
    *state = arena_create();
    return 0;
}

static int tear_down(void **state) {
    arena_destroy(*state);
    return 0;
}

static bool sheet_has(Arena *arena, const InstanceRow *row, const char *text) {
    StrBuf out = { .arena = arena };
    instance_sheet(&out, row);
    const Str sheet = strbuf_str(&out);
    return str_find(sheet, str_of(text), 0) < sheet.len;
}

// What no source says, and nothing else.
static InstanceRow unknown_row(void) {
    return (InstanceRow){
        .name = "x9.large",
        .family = "x9",
        .architecture = ARCHITECTURE_UNKNOWN,
        .vcpus = UNKNOWN,
        .cores = UNKNOWN,
        .threads_per_core = UNKNOWN,
        .memory_mib = UNKNOWN,
        .accelerators = UNKNOWN,
        .accelerator_memory_mib = UNKNOWN,
        .network_cards = UNKNOWN,
        .efa_max = UNKNOWN,
        .efa_gbps = UNKNOWN,
        .network_mbps = UNKNOWN,
        .rdma_read = UNKNOWN,
        .rdma_write = UNKNOWN,
        .nvme_count = UNKNOWN,
        .nvme_total_gb = UNKNOWN,
        .placement_cluster = UNKNOWN,
        .capacity_on_demand = UNKNOWN,
        .capacity_spot = UNKNOWN,
        .capacity_block = UNKNOWN,
        .status = "named-only",
        .sources = "",
    };
}

static void test_whole_gibibytes_are_written_as_such(void **state) {
    assert_text(instance_memory(*state, 1024), "1 GiB");
}

static void test_other_memory_is_written_in_mebibytes(void **state) {
    assert_text(instance_memory(*state, 1025), "1025 MiB");
}

static void test_whole_gigabits_have_no_fraction(void **state) {
    assert_text(instance_gbps(*state, 3200000), "3200");
}

static void test_fraction_of_a_gigabit_is_kept(void **state) {
    assert_text(instance_gbps(*state, 12500), "12.5");
}

static void test_fraction_keeps_its_leading_zeros(void **state) {
    assert_text(instance_gbps(*state, 1040), "1.04");
}

static void test_unknown_numbers_are_question_marks(void **state) {
    const InstanceRow row = unknown_row();

    assert_text(instance_memory(*state, UNKNOWN), "?");
    assert_text(instance_gbps(*state, UNKNOWN), "?");
    assert_text(instance_nvme(*state, &row), "?");
    assert_text(instance_accelerators(*state, &row), "?");
}

static void test_part_of_an_accelerator_is_a_fraction(void **state) {
    InstanceRow row = unknown_row();
    row.accelerators = 0;
    row.accelerator_share = "1/8";
    row.accelerator_vendor = "NVIDIA";
    row.accelerator_name = "L4";

    assert_text(instance_accelerators(*state, &row), "1/8 L4");
    assert_true(sheet_has(*state, &row, "1/8 of a NVIDIA L4"));
}

static void test_type_that_cannot_be_placed_says_why(void **state) {
    const InstanceRow row = unknown_row();

    assert_true(sheet_has(*state, &row, "plans no nodes"));
    assert_false(sheet_has(*state, &row, "efa_layout"));
}

static void test_both_layouts_of_a_known_type_are_placed(void **state) {
    const InstanceRow *row = own_instance(STR("p4d.24xlarge"));

    assert_true(sheet_has(*state, row, "efa_layout = min_ip: 4 EFA"));
    assert_true(sheet_has(*state, row, "efa_layout = all_ip: 4 EFA"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_whole_gibibytes_are_written_as_such),     TEST(test_other_memory_is_written_in_mebibytes),
        TEST(test_whole_gigabits_have_no_fraction),         TEST(test_fraction_of_a_gigabit_is_kept),
        TEST(test_fraction_keeps_its_leading_zeros),        TEST(test_unknown_numbers_are_question_marks),
        TEST(test_part_of_an_accelerator_is_a_fraction),    TEST(test_type_that_cannot_be_placed_says_why),
        TEST(test_both_layouts_of_a_known_type_are_placed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
