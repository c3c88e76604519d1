#include "compiler/base/edit.h"

#include "tests/support/check.h"

static int make_arena(void **state) {
    *state = arena_create();
    return 0;
}

static int drop_arena(void **state) {
    arena_destroy(*state);
    return 0;
}

static Edit edit(uint32_t start, uint32_t end, const char *replacement) {
    return (Edit){ .start = start, .end = end, .replacement = str_of(replacement) };
}

static bool clash(Edit a, Edit b) {
    assert_int_equal(edit_clashes(&a, &b), edit_clashes(&b, &a));
    return edit_clashes(&a, &b);
}

static void test_edits_that_share_a_byte_clash(void **state) {
    (void)state;
    assert_true(clash(edit(2, 5, "x"), edit(4, 6, "y")));
    assert_false(clash(edit(2, 5, "x"), edit(5, 6, "y")));
}

static void test_an_insertion_clashes_with_what_it_touches(void **state) {
    (void)state;
    assert_true(clash(edit(5, 5, "x"), edit(2, 5, "y")));
    assert_true(clash(edit(5, 5, "x"), edit(5, 8, "y")));
    assert_true(clash(edit(5, 5, "x"), edit(5, 5, "y")));
    assert_false(clash(edit(5, 5, "x"), edit(6, 8, "y")));
    assert_false(clash(edit(5, 5, "x"), edit(2, 4, "y")));
}

static void test_edits_are_applied_in_the_order_of_the_text(void **state) {
    Arena *arena = *state;
    Edits edits = { 0 };

    assert_true(edits_add(arena, &edits, edit(8, 11, "THREE")));
    assert_true(edits_add(arena, &edits, edit(0, 3, "1")));
    assert_true(edits_add(arena, &edits, edit(7, 7, " and")));

    assert_text(edits_apply(arena, STR("one two six"), &edits), "1 two and THREE");
}

static void test_what_clashes_is_not_added(void **state) {
    Arena *arena = *state;
    Edits edits = { 0 };
    assert_true(edits_add(arena, &edits, edit(4, 8, "x")));

    assert_false(edits_add(arena, &edits, edit(7, 9, "y")));
    assert_false(edits_add(arena, &edits, edit(3, 5, "y")));
    assert_false(edits_add(arena, &edits, edit(8, 8, "y")));

    assert_int_equal(edits.count, 1);
}

static void test_an_edit_can_be_taken_away(void **state) {
    Arena *arena = *state;
    Edits edits = { 0 };
    edits_add(arena, &edits, edit(0, 1, "x"));
    edits_add(arena, &edits, edit(2, 3, "y"));

    edits_remove(&edits, 0);

    assert_text(edits_apply(arena, STR("abc"), &edits), "aby");
}

static void test_a_new_line_end_is_like_those_that_are_there(void **state) {
    Arena *arena = *state;
    Edits edits = { 0 };
    edits_add(arena, &edits, edit(0, 0, "dt 1\n\n"));

    assert_text(edits_apply(arena, STR("a\r\nb\r\n"), &edits), "dt 1\r\n\r\na\r\nb\r\n");
    assert_text(edits_apply(arena, STR("a\nb\r\n"), &edits), "dt 1\n\na\nb\r\n");
    assert_text(edits_apply(arena, STR("a"), &edits), "dt 1\n\na");
}

static void test_offsets_move_with_what_is_before_them(void **state) {
    Arena *arena = *state;
    const Str text = STR("one two six");
    Edits edits = { 0 };
    edits_add(arena, &edits, edit(4, 7, "three"));
    edits_settle(&edits, text);

    assert_int_equal(edits_move(&edits, 2, EDIT_START), 2);
    assert_int_equal(edits_move(&edits, 4, EDIT_START), 4);
    assert_int_equal(edits_move(&edits, 7, EDIT_END), 9);
    assert_int_equal(edits_move(&edits, 8, EDIT_START), 10);
}

static void test_offsets_inside_go_to_their_side_of_the_replacement(void **state) {
    Arena *arena = *state;
    const Str text = STR("one two six");
    Edits edits = { 0 };
    edits_add(arena, &edits, edit(4, 7, "three"));
    edits_settle(&edits, text);

    assert_int_equal(edits_move(&edits, 5, EDIT_START), 4);
    assert_int_equal(edits_move(&edits, 5, EDIT_END), 9);
}

static void test_a_range_holds_what_is_inserted_at_its_ends(void **state) {
    Arena *arena = *state;
    const Str text = STR("abc");
    Edits edits = { 0 };
    edits_add(arena, &edits, edit(1, 1, "xy"));
    edits_settle(&edits, text);

    assert_int_equal(edits_move(&edits, 1, EDIT_START), 1);
    assert_int_equal(edits_move(&edits, 1, EDIT_END), 3);
}

static void test_moved_offsets_count_line_ends_as_written(void **state) {
    Arena *arena = *state;
    Edits edits = { 0 };
    edits_add(arena, &edits, edit(0, 0, "x\n"));

    edits_settle(&edits, STR("a\r\nb"));
    assert_int_equal(edits_move(&edits, 3, EDIT_START), 6);
    edits_settle(&edits, STR("a\nb"));
    assert_int_equal(edits_move(&edits, 2, EDIT_START), 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, drop_arena)

static void test_a_place_of_the_new_text_is_found_in_the_old_one(void **state) {
    Arena *arena = *state;
    Edits edits = { 0 };
    assert_true(edits_add(arena, &edits, edit(4, 7, "deux")));
    assert_true(edits_add(arena, &edits, edit(13, 13, "!")));
    edits_settle(&edits, STR("one two three"));

    assert_int_equal(edits_move_back(&edits, 2, EDIT_START), 2);
    assert_int_equal(edits_move_back(&edits, 5, EDIT_START), 4);
    assert_int_equal(edits_move_back(&edits, 6, EDIT_END), 7);
    assert_int_equal(edits_move_back(&edits, 8, EDIT_END), 7);
    assert_int_equal(edits_move_back(&edits, 9, EDIT_START), 8);
    assert_int_equal(edits_move_back(&edits, 15, EDIT_END), 13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_edits_that_share_a_byte_clash),
        TEST(test_an_insertion_clashes_with_what_it_touches),
        TEST(test_edits_are_applied_in_the_order_of_the_text),
        TEST(test_what_clashes_is_not_added),
        TEST(test_an_edit_can_be_taken_away),
        TEST(test_a_new_line_end_is_like_those_that_are_there),
        TEST(test_offsets_move_with_what_is_before_them),
        TEST(test_offsets_inside_go_to_their_side_of_the_replacement),
        TEST(test_a_range_holds_what_is_inserted_at_its_ends),
        TEST(test_moved_offsets_count_line_ends_as_written),
        TEST(test_a_place_of_the_new_text_is_found_in_the_old_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
