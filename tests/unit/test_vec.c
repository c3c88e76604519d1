#include "compiler/base/vec.h"

#include "tests/support/check.h"

typedef VEC(int) Ints;

static void test_items_keep_their_order_while_it_grows(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Ints ints = { 0 };

    for (int i = 0; i < 1000; i++) {
        vec_push(arena, &ints, i);
    }

    assert_int_equal(ints.count, 1000);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(ints.items[i], i);
    }
    arena_destroy(arena);
}

static void test_growth_needs_no_item(void **state) {
    (void)state;
    Arena *arena = arena_create();
    uint32_t capacity = 0;

    int *items = vec_grow(arena, NULL, 0, &capacity, sizeof(int));

    assert_non_null(items);
    assert_true(capacity > 0);
    arena_destroy(arena);
}

static void test_growth_with_room_left_moves_nothing(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Ints ints = { 0 };
    vec_push(arena, &ints, 7);

    const void *items = vec_grow(arena, ints.items, ints.count, &ints.capacity, sizeof(int));

    assert_ptr_equal(items, ints.items);
    arena_destroy(arena);
}

static void test_a_compound_literal_may_be_pushed(void **state) {
    (void)state;
    typedef struct {
        int a;
        int b;
    } Pair;
    Arena *arena = arena_create();
    VEC(Pair) pairs = { 0 };

    vec_push(arena, &pairs, (Pair){ .a = 1, .b = 2 });

    assert_int_equal(pairs.items[0].b, 2);
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_keep_their_order_while_it_grows),
        cmocka_unit_test(test_growth_needs_no_item),
        cmocka_unit_test(test_growth_with_room_left_moves_nothing),
        cmocka_unit_test(test_a_compound_literal_may_be_pushed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
