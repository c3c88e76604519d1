#include "compiler/base/origin.h"

#include "tests/support/check.h"

static int make_arena(void **state) {
    *state = arena_create();
    return 0;
}

static int drop_arena(void **state) {
    arena_destroy(*state);
    return 0;
}

static void test_nothing_joined_is_the_other(void **state) {
    const Origin *origin = origin_schema(*state, "p5.48xlarge");

    assert_ptr_equal(origin_join(*state, NULL, origin), origin);
    assert_ptr_equal(origin_join(*state, origin, NULL), origin);
    assert_null(origin_join(*state, NULL, NULL));
}

static void test_equal_ones_are_not_joined_twice(void **state) {
    const Origin *a = origin_span(*state, (Span){ 1, 2, 3 });
    const Origin *same = origin_span(*state, (Span){ 1, 2, 3 });
    const Origin *b = origin_schema(*state, "nodes.efa");

    const Origin *both = origin_join(*state, a, b);

    assert_ptr_equal(origin_join(*state, a, same), a);
    assert_ptr_equal(origin_join(*state, both, b), both);
    assert_ptr_equal(origin_join(*state, both, same), both);
    assert_ptr_equal(origin_join(*state, both, both), both);
}

static void test_different_ones_are_both_kept(void **state) {
    const Origin *a = origin_span(*state, (Span){ 1, 2, 3 });
    const Origin *b = origin_span(*state, (Span){ 1, 2, 4 });

    const Origin *both = origin_join(*state, a, b);

    assert_int_equal(both->kind, ORIGIN_JOIN);
    assert_ptr_equal(both->left, a);
    assert_ptr_equal(both->right, b);
}

static void test_first_span_is_the_leftmost(void **state) {
    const Origin *schema = origin_schema(*state, "p5.48xlarge");
    const Origin *a = origin_span(*state, (Span){ 1, 2, 3 });
    const Origin *b = origin_span(*state, (Span){ 1, 7, 8 });

    const Origin *tree = origin_join(*state, schema, origin_join(*state, a, b));

    assert_int_equal(origin_first_span(tree).start, 2);
    assert_int_equal(origin_first_span(b).start, 7);
    assert_true(span_is_none(origin_first_span(schema)));
    assert_true(span_is_none(origin_first_span(NULL)));
}

static void test_first_span_of_a_long_chain_needs_no_stack(void **state) {
    const Origin *chain = origin_span(*state, (Span){ 1, 5, 6 });

    for (uint32_t i = 0; i < 1000000; i++) {
        chain = origin_join(*state, chain, origin_span(*state, (Span){ 2, i, i + 1 }));
    }

    assert_int_equal(origin_first_span(chain).start, 5);
}

static void test_first_span_of_a_tree_that_shares_its_parts_ends(void **state) {
    const Origin *tree = origin_schema(*state, "a");

    for (int i = 0; i < 200; i++) {
        const Origin *more = origin_schema(*state, str_c(*state, str_format(*state, "%d", i)));
        tree = origin_join(*state, tree, origin_join(*state, tree, more));
    }

    assert_true(span_is_none(origin_first_span(tree)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_joined_is_the_other),
        cmocka_unit_test(test_equal_ones_are_not_joined_twice),
        cmocka_unit_test(test_different_ones_are_both_kept),
        cmocka_unit_test(test_first_span_is_the_leftmost),
        cmocka_unit_test(test_first_span_of_a_long_chain_needs_no_stack),
        cmocka_unit_test(test_first_span_of_a_tree_that_shares_its_parts_ends),
    };
    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
