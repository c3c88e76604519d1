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

static Str sheet(Arena *arena, const InstanceRow *row) {
    StrBuf out = { .arena = arena };
    instance_sheet(&out, row);
    return strbuf_str(&out);
}

// The sheet of unknown_row(), with what it says of accelerators between the two.
#define BEFORE_ACCELERATORS        \
    "x9.large\n"                   \
    "  architecture     unknown\n" \
    "  vCPUs            unknown\n" \
    "  memory           unknown\n"
#define BEHIND_ACCELERATORS                                                            \
    "  network          unknown\n"                                                     \
    "  network cards    unknown\n"                                                     \
    "  EFA              unknown\n"                                                     \
    "  local NVMe       unknown\n"                                                     \
    "  capacity         on demand: unknown, Spot: unknown, capacity blocks: unknown\n" \
    "  placement group  unknown\n"                                                     \
    "  status           named-only\n"                                                  \
    "\n"                                                                               \
    "  dtc plans no nodes of this type, for want of one fact that no source gives:\n"  \
    "  how many network cards it has. It places no network interface on a guess, as\n" \
    "  EC2 refuses a wrong placement only at launch.\n"

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
    assert_text(sheet(*state, &row), BEFORE_ACCELERATORS "  accelerators     1/8 of a NVIDIA L4\n" BEHIND_ACCELERATORS);
}

static void test_type_that_cannot_be_placed_says_why(void **state) {
    const InstanceRow row = unknown_row();

    assert_text(sheet(*state, &row), BEFORE_ACCELERATORS "  accelerators     unknown\n" BEHIND_ACCELERATORS);
}

static void test_both_layouts_of_a_known_type_are_placed(void **state) {
    const InstanceRow *row = own_instance(STR("p4d.24xlarge"));

    const Str text = sheet(*state, row);
    const size_t layouts = str_find(text, STR("  efa = all, "), 0); // behind the sources
    assert_text(str_slice(text, layouts, text.len),
                "  efa = all, efa_layout = min_ip: 4 EFA, 5 interfaces, 1 IP address\n"
                "    card 0     device 0  interface\n"
                "    card 0     device 1  efa-only\n"
                "    cards 1-3  device 0  efa-only\n"
                "\n"
                "  efa = all, efa_layout = all_ip, `auto` on pcs: 4 EFA, 4 interfaces, 4 IP addresses\n"
                "    card 0     device 0  efa\n"
                "    cards 1-3  device 1  efa\n");
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
