#include "compiler/driver/output/print.h"

#include "tests/support/check.h"

static int set_up(void **state) {
    *state = arena_create();
    return 0;
}

static int tear_down(void **state) {
    arena_destroy(*state);
    return 0;
}

static Str words(Arena *arena, size_t count) {
    StrBuf text = { .arena = arena };
    for (size_t i = 0; i < count; i++) {
        strbuf_add(&text, i == 0 ? STR("word") : STR(" word"));
    }
    return strbuf_str(&text);
}

static void test_line_of_full_width_is_not_broken(void **state) {
    StrBuf out = { .arena = *state };
    const Str text = str_format(*state, "%.*s wide", STR_ARG(words(*state, 15))); // 79 columns less one
    const Str fitting = str_slice(text, 0, PRINT_WIDTH);

    print_wrapped(&out, fitting, 0);

    assert_int_equal(str_find(strbuf_str(&out), STR("\n"), 0), PRINT_WIDTH);
}

static void test_line_beyond_the_width_is_broken_at_a_blank(void **state) {
    StrBuf out = { .arena = *state };

    print_wrapped(&out, words(*state, 16), 0); // 79 columns

    assert_int_equal(str_find(strbuf_str(&out), STR("\n"), 0), 74);
}

static void test_width_counts_code_points(void **state) {
    assert_int_equal(print_columns(STR("ä…b")), 3);
    (void)state;
}

static void test_every_line_is_indented(void **state) {
    StrBuf out = { .arena = *state };

    print_wrapped(&out, STR("one\n\ntwo"), 2);

    assert_text(strbuf_str(&out), "  one\n\n  two\n");
}

static void test_line_that_begins_with_a_blank_stays(void **state) {
    StrBuf out = { .arena = *state };

    print_wrapped(&out, STR("text\n  a    b\nmore"), 0);

    assert_text(strbuf_str(&out), "text\n  a    b\nmore\n");
}

static void test_word_longer_than_a_line_has_its_own(void **state) {
    StrBuf out = { .arena = *state };
    StrBuf word = { .arena = *state };
    strbuf_add_repeated(&word, 'x', PRINT_WIDTH + 1);

    print_wrapped(&out, str_format(*state, "a %.*s b", STR_ARG(strbuf_str(&word))), 0);

    assert_int_equal(out.len, 2 + PRINT_WIDTH + 2 + 2);
}

static void test_label_stands_before_the_first_line(void **state) {
    StrBuf out = { .arena = *state };

    print_labelled(&out, STR("name:"), 8, STR("text"));

    assert_text(strbuf_str(&out), "name:   text\n");
}

static void test_label_without_text_ends_its_line(void **state) {
    StrBuf out = { .arena = *state };

    print_labelled(&out, STR("name:"), 8, STR_NONE);

    assert_text(strbuf_str(&out), "name:\n");
}

static void test_columns_are_as_wide_as_their_widest_cell(void **state) {
    StrBuf out = { .arena = *state };
    Table table = { .arena = *state, .columns = 2 };
    table_add(&table, STR("a"));
    table_add(&table, STR("b"));
    table_add_format(&table, "%d", 100);
    table_add(&table, STR("c"));

    table_print(&table, &out, 1);

    assert_text(strbuf_str(&out), " a    b\n 100  c\n");
}

static void test_column_can_be_aligned_to_the_right(void **state) {
    StrBuf out = { .arena = *state };
    Table table = { .arena = *state, .columns = 2, .right = 1 };
    table_add(&table, STR("1"));
    table_add(&table, STR("x"));
    table_add(&table, STR("10"));
    table_add(&table, STR("y"));

    table_print(&table, &out, 0);

    assert_text(strbuf_str(&out), " 1  x\n10  y\n");
}

static void test_table_has_no_blanks_at_line_ends(void **state) {
    StrBuf out = { .arena = *state };
    Table table = { .arena = *state, .columns = 2 };
    table_add(&table, STR("a"));
    table_add(&table, STR_NONE);
    table_add(&table, STR("long"));
    table_add(&table, STR("b"));

    table_print(&table, &out, 0);

    assert_text(strbuf_str(&out), "a\nlong  b\n");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_line_of_full_width_is_not_broken),
        TEST(test_line_beyond_the_width_is_broken_at_a_blank),
        TEST(test_width_counts_code_points),
        TEST(test_every_line_is_indented),
        TEST(test_line_that_begins_with_a_blank_stays),
        TEST(test_word_longer_than_a_line_has_its_own),
        TEST(test_label_stands_before_the_first_line),
        TEST(test_label_without_text_ends_its_line),
        TEST(test_columns_are_as_wide_as_their_widest_cell),
        TEST(test_column_can_be_aligned_to_the_right),
        TEST(test_table_has_no_blanks_at_line_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
