// A map from text to pointers keeps every key once, however many there are.
#include "tests/support/check.h"

#include "compiler/base/str_map.h"

static void test_key_that_was_never_added_is_absent(void **state) {
    (void)state;
    Arena *arena = arena_create();
    StrMap map = { .arena = arena };

    assert_null(str_map_get(&map, STR("a")));
    str_map_add(&map, STR("a"), &map);
    assert_null(str_map_get(&map, STR("b")));
    assert_null(str_map_get(&map, STR("")));
    arena_destroy(arena);
}

static void test_first_value_of_a_key_stays(void **state) {
    (void)state;
    Arena *arena = arena_create();
    StrMap map = { .arena = arena };
    int first = 1;
    int second = 2;

    assert_null(str_map_add(&map, STR("key"), &first));
    assert_ptr_equal(str_map_add(&map, STR("key"), &second), &first);

    assert_ptr_equal(str_map_get(&map, STR("key")), &first);
    assert_int_equal(map.count, 1);
    arena_destroy(arena);
}

static void test_every_key_is_found_after_growth(void **state) {
    (void)state;
    enum { KEYS = 10000 };
    static int values[KEYS];
    Arena *arena = arena_create();
    StrMap map = { .arena = arena };

    for (int i = 0; i < KEYS; i++) {
        assert_null(str_map_add(&map, str_format(arena, "key-%d", i), &values[i]));
    }

    for (int i = 0; i < KEYS; i++) {
        assert_ptr_equal(str_map_get(&map, str_format(arena, "key-%d", i)), &values[i]);
    }
    assert_int_equal(map.count, KEYS);
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key_that_was_never_added_is_absent),
        cmocka_unit_test(test_first_value_of_a_key_stays),
        cmocka_unit_test(test_every_key_is_found_after_growth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
