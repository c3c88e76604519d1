#include "compiler/base/data.h"

#include "tests/support/check.h"

static int make_arena(void **state) {
    *state = arena_create();
    return 0;
}

static int drop_arena(void **state) {
    arena_destroy(*state);
    return 0;
}

static void test_scalars_hold_what_they_are_made_of(void **state) {
    assert_int_equal(data_null(*state)->kind, DATA_NULL);
    assert_true(data_bool(*state, true)->boolean);
    assert_true(data_int(*state, INT64_MIN)->integer == INT64_MIN);
    assert_text(data_real(*state, STR("1.50"))->string, "1.50");
    assert_text(data_string(*state, STR("a"))->string, "a");
    assert_true(span_is_none(data_string(*state, STR("a"))->span));
}

static void test_lists_keep_their_order(void **state) {
    Data *list = data_list(*state);

    for (int i = 0; i < 100; i++) {
        data_add(*state, list, data_int(*state, i));
    }

    assert_int_equal(list->count, 100);
    assert_int_equal(list->items[99]->integer, 99);
}

static void test_maps_keep_their_order(void **state) {
    Data *map = data_map(*state);

    data_put(*state, map, STR("z"), data_int(*state, 1));
    data_put(*state, map, STR("a"), data_int(*state, 2));

    assert_text(map->entries[0].key, "z");
    assert_text(map->entries[1].key, "a");
    assert_int_equal(data_get(map, "a")->integer, 2);
}

static void test_what_is_not_there_is_null(void **state) {
    assert_null(data_get(data_map(*state), "a"));
    assert_null(data_get(data_string(*state, STR("a")), "a"));
    assert_null(data_get(NULL, "a"));
}

static void test_text_of_what_is_no_text_is_empty(void **state) {
    Data *map = data_map(*state);
    data_put(*state, map, STR("name"), data_string(*state, STR("lab")));
    data_put(*state, map, STR("count"), data_int(*state, 4));

    assert_text(data_text(map, "name"), "lab");
    assert_int_equal(data_text(map, "count").len, 0);
    assert_int_equal(data_text(map, "region").len, 0);
    assert_int_equal(data_text(NULL, "name").len, 0);
}

static void test_a_text_is_found_at_any_depth(void **state) {
    Data *list = data_list(*state);
    Data *map = data_map(*state);
    data_add(*state, list, data_int(*state, 4));
    data_add(*state, list, data_string(*state, STR("a role of a node")));
    data_put(*state, map, STR("key"), list);

    assert_true(data_has_text(map, "role"));
    assert_false(data_has_text(map, "key"));
    assert_false(data_has_text(data_null(*state), "role"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars_hold_what_they_are_made_of),
        cmocka_unit_test(test_lists_keep_their_order),
        cmocka_unit_test(test_maps_keep_their_order),
        cmocka_unit_test(test_what_is_not_there_is_null),
        cmocka_unit_test(test_text_of_what_is_no_text_is_empty),
        cmocka_unit_test(test_a_text_is_found_at_any_depth),
    };
    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
