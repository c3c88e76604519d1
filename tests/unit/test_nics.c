// Placements against fixtures/efa_layout.tsv, which was not made from the schema, and the cases that other tools get
// wrong, one by one.
#include "compiler/base/file.h"
#include "compiler/plan/model/nics.h"

#include "schema/instances.h"
#include "tests/support/own_rows.h"
#include "tests/support/check.h"

static const NicLayout LAYOUTS[] = { LAYOUT_MIN_IP, LAYOUT_ALL_IP, LAYOUT_MAX_BANDWIDTH, LAYOUT_SPARE };

static const InstanceRow *instance(const char *name) {
    const InstanceRow *row = own_instance(str_of(name));
    assert_non_null(row);
    return row;
}

static Str print_nics(Arena *arena, const Nics *nics) {
    StrBuf text = { .arena = arena };
    for (int i = 0; i < nics->count; i++) {
        const Nic *nic = &nics->items[i];
        strbuf_add_format(&text, "%s%d/%d/%s", i == 0 ? "" : " ", nic->card, nic->device, nic_kind_name(nic->kind));
    }
    return strbuf_str(&text);
}

static void assert_placed(const char *type, NicLayout layout, int efa, const char *expected) {
    Nics nics;
    Arena *arena = arena_create();

    assert_int_equal(nics_place(instance(type), layout, efa, &nics), NICS_PLACED);

    assert_text(print_nics(arena, &nics), expected);
    arena_destroy(arena);
}

static void assert_not_placed(const char *type, NicLayout layout, int efa, NicsResult expected) {
    Nics nics;

    assert_int_equal(nics_place(instance(type), layout, efa, &nics), expected);
}

// ---- the table

// The next field of a line, which moves behind it.
static Str next_field(Str *line) {
    const size_t end = str_find(*line, STR("\t"), 0);
    const Str field = str_slice(*line, 0, end);
    *line = str_slice(*line, end + 1, line->len);
    return field;
}

static NicLayout layout_named(Str name) {
    size_t i = 0;
    while (i + 1 < COUNT_OF(LAYOUTS) && !str_is(name, nics_layout_name(LAYOUTS[i]))) {
        i++;
    }
    assert_true(str_is(name, nics_layout_name(LAYOUTS[i])));
    return LAYOUTS[i];
}

static void check_line(Arena *arena, Str line) {
    const char *type = str_c(arena, next_field(&line));
    const NicLayout layout = layout_named(next_field(&line));
    const int all = nics_efa_all(instance(type), layout);
    assert_placed(type, layout, all, str_c(arena, line));
}

static void test_placements_are_those_of_the_table(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Str table;
    assert_null(file_read(arena, STR("fixtures/efa_layout.tsv"), 1024 * 1024, &table));

    int lines = 0;
    for (size_t at = 0; at < table.len;) {
        const size_t end = str_find(table, STR("\n"), at);
        const Str line = str_slice(table, at, end);
        at = end + 1;
        if (!str_starts_with(line, STR("#"))) {
            check_line(arena, line);
            lines++;
        }
    }

    assert_true(lines >= 600); // no row was lost
    arena_destroy(arena);
}

// ---- min_ip

static void test_min_ip_has_one_plain_primary_and_efa_only_beside_it(void **state) {
    (void)state;

    assert_placed("p4d.24xlarge", LAYOUT_MIN_IP, 4,
                  "0/0/interface 0/1/efa-only 1/0/efa-only 2/0/efa-only 3/0/efa-only");
}

static void test_min_ip_with_fewer_fills_cards_from_the_first(void **state) {
    (void)state;

    assert_placed("p4d.24xlarge", LAYOUT_MIN_IP, 2, "0/0/interface 0/1/efa-only 1/0/efa-only");
}

static void test_spare_leaves_a_place_on_card_0(void **state) {
    (void)state;

    assert_placed("p5.48xlarge", LAYOUT_SPARE, 2, "0/0/efa 1/0/efa-only");
    assert_placed("p6-b300.48xlarge", LAYOUT_SPARE, 1, "0/0/interface 1/0/efa-only");
}

static void test_min_ip_fills_a_card_0_of_two_interfaces(void **state) {
    (void)state;

    assert_true(nics_min_ip_fills_card(instance("p5.48xlarge")));
    assert_false(nics_min_ip_fills_card(instance("p5en.48xlarge")));   // takes four
    assert_false(nics_min_ip_fills_card(instance("hpc6id.32xlarge"))); // takes one, which is a combined one
}

static void test_a_card_0_without_efa_only_carries_the_primary(void **state) {
    (void)state;

    assert_placed("p6-b300.48xlarge", LAYOUT_MIN_IP, 2, "0/0/interface 1/0/efa-only 2/0/efa-only");
    assert_int_equal(nics_efa_all(instance("p6-b300.48xlarge"), LAYOUT_MIN_IP), 16);
}

static void test_a_card_for_one_interface_makes_min_ip_all_ip(void **state) {
    (void)state;

    assert_placed("hpc6id.32xlarge", LAYOUT_MIN_IP, 2, "0/0/efa 1/0/efa");
    assert_placed("hpc6id.32xlarge", LAYOUT_ALL_IP, 2, "0/0/efa 1/0/efa");
    assert_placed("hpc6id.32xlarge", LAYOUT_MIN_IP, 1, "0/0/efa");
}

static void test_all_of_gb200_is_the_four_of_its_row(void **state) {
    (void)state;

    assert_int_equal(nics_efa_all(instance("p6e-gb200.36xlarge"), LAYOUT_MIN_IP), 4);
    assert_placed("p6e-gb200.36xlarge", LAYOUT_MIN_IP, 4,
                  "0/0/interface 1/0/efa-only 5/0/efa-only 9/0/efa-only 13/0/efa-only");
    assert_placed("p6e-gb200.36xlarge", LAYOUT_MIN_IP, 1, "0/0/interface 1/0/efa-only");
    assert_not_placed("p6e-gb200.36xlarge", LAYOUT_MIN_IP, 5, NICS_TOO_MANY);
}

// ---- all_ip

static void test_all_ip_stands_at_device_1_behind_card_0(void **state) {
    (void)state;

    assert_placed("p4d.24xlarge", LAYOUT_ALL_IP, 4, "0/0/efa 1/1/efa 2/1/efa 3/1/efa");
}

static void test_all_ip_keeps_a_plain_primary_where_card_0_takes_no_efa(void **state) {
    (void)state;

    assert_placed("p6-b300.48xlarge", LAYOUT_ALL_IP, 2, "0/0/interface 1/0/efa 2/0/efa");
}

static void test_aws_pcs_passes_no_efa_only(void **state) {
    (void)state;
    Nics nics;

    assert_int_equal(nics_layout_on("pcs"), LAYOUT_ALL_IP);
    assert_int_equal(nics_layout_on("batch"), LAYOUT_MIN_IP);
    assert_int_equal(nics_place(instance("p5.48xlarge"), LAYOUT_MIN_IP, 32, &nics), NICS_PLACED);
    assert_false(nics_pass("pcs", &nics));
    assert_true(nics_pass("batch", &nics));
    assert_int_equal(nics_place(instance("p5.48xlarge"), LAYOUT_ALL_IP, 32, &nics), NICS_PLACED);
    assert_true(nics_pass("pcs", &nics));
}

static void test_there_is_no_all_ip_where_a_card_takes_no_address(void **state) {
    (void)state;

    assert_not_placed("p6e-gb200.36xlarge", LAYOUT_ALL_IP, 4, NICS_NO_LAYOUT);
    assert_int_equal(nics_efa_all(instance("p6e-gb200.36xlarge"), LAYOUT_ALL_IP), UNKNOWN);
}

// ---- max_bandwidth

static void test_max_bandwidth_needs_a_row_of_its_own(void **state) {
    (void)state;

    assert_not_placed("p4d.24xlarge", LAYOUT_MAX_BANDWIDTH, 4, NICS_NO_LAYOUT);
    assert_int_equal(nics_efa_all(instance("p4d.24xlarge"), LAYOUT_MAX_BANDWIDTH), UNKNOWN);
}

static void test_max_bandwidth_takes_all(void **state) {
    (void)state;
    Nics nics;

    assert_int_equal(nics_place(instance("p5.48xlarge"), LAYOUT_MAX_BANDWIDTH, 32, &nics), NICS_PLACED);
    assert_int_equal(nics.count, 40);
    assert_not_placed("p5.48xlarge", LAYOUT_MAX_BANDWIDTH, 31, NICS_NO_LAYOUT);
}

// ---- any layout

static void test_no_efa_is_one_plain_primary(void **state) {
    (void)state;

    assert_placed("p5.48xlarge", LAYOUT_MIN_IP, 0, "0/0/interface");
    assert_placed("p5.48xlarge", LAYOUT_ALL_IP, 0, "0/0/interface");
    assert_placed("c5.large", LAYOUT_MAX_BANDWIDTH, 0, "0/0/interface");
}

static void test_more_than_the_type_has_is_too_many(void **state) {
    (void)state;

    assert_not_placed("p4d.24xlarge", LAYOUT_MIN_IP, 5, NICS_TOO_MANY);
    assert_not_placed("p6-b300.48xlarge", LAYOUT_ALL_IP, 17, NICS_TOO_MANY);
    assert_not_placed("c5.large", LAYOUT_MIN_IP, 1, NICS_TOO_MANY);
}

static void test_unknown_cards_are_not_placed(void **state) {
    (void)state;

    assert_placed("trn2u.48xlarge", LAYOUT_MIN_IP, 0, "0/0/interface");
    assert_not_placed("trn2u.48xlarge", LAYOUT_MIN_IP, 1, NICS_UNKNOWN);
    assert_not_placed("trn3.48xlarge", LAYOUT_MIN_IP, 16, NICS_UNKNOWN);
    assert_not_placed("p5.48xlarge", LAYOUT_MIN_IP, UNKNOWN, NICS_UNKNOWN);
    assert_int_equal(nics_efa_all(instance("trn2u.48xlarge"), LAYOUT_MIN_IP), UNKNOWN);
}

static void test_training_and_hpc_families_are_made_for_efa(void **state) {
    (void)state;

    assert_true(nics_efa_is_default(instance("p3dn.24xlarge")));
    assert_true(nics_efa_is_default(instance("p5.4xlarge")));
    assert_true(nics_efa_is_default(instance("p6-b300.48xlarge")));
    assert_true(nics_efa_is_default(instance("trn1n.32xlarge")));
    assert_true(nics_efa_is_default(instance("hpc6a.48xlarge")));
}

static void test_types_with_several_cards_are_made_for_efa(void **state) {
    (void)state;

    assert_true(nics_efa_is_default(instance("g6e.24xlarge")));
    assert_true(nics_efa_is_default(instance("m6in.32xlarge")));
    assert_true(nics_efa_is_default(instance("dl1.24xlarge")));
}

static void test_other_types_with_efa_mostly_work_alone(void **state) {
    (void)state;

    assert_false(nics_efa_is_default(instance("g6e.12xlarge")));
    assert_false(nics_efa_is_default(instance("c5n.18xlarge")));
    assert_false(nics_efa_is_default(instance("inf1.24xlarge")));
}

static void test_addresses_are_counted_without_efa_only(void **state) {
    (void)state;
    Nics nics;

    assert_int_equal(nics_place(instance("p5.48xlarge"), LAYOUT_MIN_IP, 32, &nics), NICS_PLACED);
    assert_int_equal(nics_private_ips(&nics), 1);
    assert_int_equal(nics_place(instance("p5.48xlarge"), LAYOUT_ALL_IP, 32, &nics), NICS_PLACED);
    assert_int_equal(nics_private_ips(&nics), 32);
    assert_int_equal(nics_place(instance("p5.48xlarge"), LAYOUT_MAX_BANDWIDTH, 32, &nics), NICS_PLACED);
    assert_int_equal(nics_private_ips(&nics), 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_placements_are_those_of_the_table),
        cmocka_unit_test(test_min_ip_has_one_plain_primary_and_efa_only_beside_it),
        cmocka_unit_test(test_min_ip_with_fewer_fills_cards_from_the_first),
        cmocka_unit_test(test_spare_leaves_a_place_on_card_0),
        cmocka_unit_test(test_min_ip_fills_a_card_0_of_two_interfaces),
        cmocka_unit_test(test_aws_pcs_passes_no_efa_only),
        cmocka_unit_test(test_a_card_0_without_efa_only_carries_the_primary),
        cmocka_unit_test(test_a_card_for_one_interface_makes_min_ip_all_ip),
        cmocka_unit_test(test_all_of_gb200_is_the_four_of_its_row),
        cmocka_unit_test(test_all_ip_stands_at_device_1_behind_card_0),
        cmocka_unit_test(test_all_ip_keeps_a_plain_primary_where_card_0_takes_no_efa),
        cmocka_unit_test(test_there_is_no_all_ip_where_a_card_takes_no_address),
        cmocka_unit_test(test_max_bandwidth_needs_a_row_of_its_own),
        cmocka_unit_test(test_max_bandwidth_takes_all),
        cmocka_unit_test(test_no_efa_is_one_plain_primary),
        cmocka_unit_test(test_more_than_the_type_has_is_too_many),
        cmocka_unit_test(test_unknown_cards_are_not_placed),
        cmocka_unit_test(test_training_and_hpc_families_are_made_for_efa),
        cmocka_unit_test(test_types_with_several_cards_are_made_for_efa),
        cmocka_unit_test(test_other_types_with_efa_mostly_work_alone),
        cmocka_unit_test(test_addresses_are_counted_without_efa_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
