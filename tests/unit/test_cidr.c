#include "compiler/base/cidr.h"

#include "tests/support/check.h"

static void test_block_is_read_and_printed_as_it_was(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Cidr cidr = { 0 };

    assert_true(cidr_parse(STR("10.31.128.0/17"), &cidr));

    assert_text(cidr_print(arena, cidr), "10.31.128.0/17");
    arena_destroy(arena);
}

static void test_last_address_and_prefix_are_read(void **state) {
    (void)state;
    Cidr cidr = { 0 };

    assert_true(cidr_parse(STR("255.255.255.255/32"), &cidr));
    assert_true(cidr_parse(STR("0.0.0.0/0"), &cidr));
}

static void test_what_is_no_block_is_refused(void **state) {
    (void)state;
    static const char *const TEXTS[] = { "",
                                         "10.0.0.0",
                                         "10.0.0.0/",
                                         "10.0.0/16",
                                         "10.0.0.0.0/16",
                                         "256.0.0.0/8",
                                         "10.0.0.0/33",
                                         "10.0.0.0/016",
                                         "010.0.0.0/8",
                                         " 10.0.0.0/16",
                                         "10.0.0.0/16 ",
                                         "10.0.0.0/16/16",
                                         "a.b.c.d/16",
                                         "10.0.0.-1/16",
                                         "::/0",
                                         "10..0.0/16",
                                         "10.0.0.0/99999999999999999999" };
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++) {
        Cidr cidr = { 0 };
        assert_false(cidr_parse(str_of(TEXTS[i]), &cidr));
    }
}

static void test_bits_behind_the_prefix_are_refused(void **state) {
    (void)state;
    Cidr cidr = { 0 };

    assert_false(cidr_parse(STR("10.0.1.0/16"), &cidr));
    assert_true(cidr_parse(STR("10.0.1.0/24"), &cidr));
}

static void test_bits_behind_the_prefix_are_taken_away(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Cidr cidr = { 0 };
    cidr_parse(STR("10.0.1.7/16"), &cidr);

    assert_text(cidr_print(arena, cidr_trim(cidr)), "10.0.0.0/16");

    arena_destroy(arena);
}

static void test_halves_lie_side_by_side(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Cidr cidr = { 0 };
    assert_true(cidr_parse(STR("10.1.0.0/16"), &cidr));

    assert_int_equal(cidr_capacity(cidr, 17), 2);
    assert_text(cidr_print(arena, cidr_cut(cidr, 17, 0)), "10.1.0.0/17");
    assert_text(cidr_print(arena, cidr_cut(cidr, 17, 1)), "10.1.128.0/17");
    arena_destroy(arena);
}

static void test_last_small_block_is_cut_from_the_end(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Cidr cidr = { 0 };
    assert_true(cidr_parse(STR("10.0.0.0/16"), &cidr));

    assert_int_equal(cidr_capacity(cidr, 24), 256);
    assert_text(cidr_print(arena, cidr_cut(cidr, 24, 255)), "10.0.255.0/24");
    arena_destroy(arena);
}

static void test_blocks_overlap_where_one_holds_the_other(void **state) {
    (void)state;
    Cidr outer = { 0 };
    Cidr inner = { 0 };
    Cidr beside = { 0 };
    assert_true(cidr_parse(STR("10.0.0.0/16"), &outer));
    assert_true(cidr_parse(STR("10.0.64.0/18"), &inner));
    assert_true(cidr_parse(STR("10.1.0.0/16"), &beside));

    assert_true(cidr_overlaps(outer, inner));
    assert_true(cidr_overlaps(inner, outer));
    assert_false(cidr_overlaps(outer, beside));
}

static void test_a_smaller_block_is_within_one_that_holds_it(void **state) {
    (void)state;
    Cidr outer;
    Cidr inner;
    Cidr public;
    assert_true(cidr_parse(STR("172.16.0.0/12"), &outer));
    assert_true(cidr_parse(STR("172.31.240.0/20"), &inner));
    assert_true(cidr_parse(STR("172.32.0.0/16"), &public));

    assert_true(cidr_is_within(inner, outer));
    assert_false(cidr_is_within(outer, inner));
    assert_false(cidr_is_within(public, outer));
    assert_true(cidr_is_private(outer));
    assert_true(cidr_is_private(inner));
    assert_false(cidr_is_private(public));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_is_read_and_printed_as_it_was),
        cmocka_unit_test(test_last_address_and_prefix_are_read),
        cmocka_unit_test(test_what_is_no_block_is_refused),
        cmocka_unit_test(test_bits_behind_the_prefix_are_refused),
        cmocka_unit_test(test_bits_behind_the_prefix_are_taken_away),
        cmocka_unit_test(test_halves_lie_side_by_side),
        cmocka_unit_test(test_last_small_block_is_cut_from_the_end),
        cmocka_unit_test(test_blocks_overlap_where_one_holds_the_other),
        cmocka_unit_test(test_a_smaller_block_is_within_one_that_holds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
