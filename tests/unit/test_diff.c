#include "compiler/base/diff.h"

#include "tests/support/check.h"

static int make_arena(void **state) {
    *state = arena_create();
    return 0;
}

static int drop_arena(void **state) {
    arena_destroy(*state);
    return 0;
}

static Str diff(void **state, const char *before, const char *after) {
    return diff_unified(*state, STR("f"), str_of(before), str_of(after));
}

static void test_equal_texts_have_no_difference(void **state) {
    assert_text(diff(state, "a\nb\n", "a\nb\n"), "");
    assert_text(diff(state, "", ""), "");
}

static void test_a_changed_line_has_three_lines_around(void **state) {
    assert_text(diff(state, "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nX\n6\n7\n8\n9\n"),
                "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8\n");
}

static void test_what_is_added_and_removed_is_no_more_than_needed(void **state) {
    assert_text(diff(state, "a\nb\nc\nd\n", "b\nc\nx\nd\n"), "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-a\n b\n c\n+x\n d\n");
}

static void test_an_insertion_into_nothing_counts_from_zero(void **state) {
    assert_text(diff(state, "", "a\n"), "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n");
    assert_text(diff(state, "a\n", ""), "--- f\n+++ f\n@@ -1 +0,0 @@\n-a\n");
}

static void test_changes_near_each_other_are_one_hunk(void **state) {
    const char *near = "x\n1\n2\n3\n4\n5\n6\ny\n";
    const char *far = "x\n1\n2\n3\n4\n5\n6\n7\ny\n";

    const Str one = diff(state, near, "X\n1\n2\n3\n4\n5\n6\nY\n");
    const Str two = diff(state, far, "X\n1\n2\n3\n4\n5\n6\n7\nY\n");

    assert_text(one, "--- f\n+++ f\n@@ -1,8 +1,8 @@\n-x\n+X\n 1\n 2\n 3\n 4\n 5\n 6\n-y\n+Y\n");
    assert_text(two, "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-x\n+X\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-y\n+Y\n");
}

static void test_a_missing_line_end_is_shown(void **state) {
    assert_text(diff(state, "a", "b"),
                "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n");
    assert_text(diff(state, "a\n", "a"), "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n");
}

static void test_a_path_with_blanks_ends_in_a_tab(void **state) {
    assert_text(diff_unified(*state, STR("a b"), STR("1\n"), STR("2\n")),
                "--- a b\t\n+++ a b\t\n@@ -1 +1 @@\n-1\n+2\n");
}

static void test_a_path_that_a_terminal_acts_upon_is_quoted(void **state) {
    assert_text(diff_unified(*state, STR("\x1B[1m/\"a\\\n\u202E.dt"), STR("a\n"), STR("")),
                "--- \"\\033[1m/\\042a\\134\\012\\342\\200\\256.dt\"\n"
                "+++ \"\\033[1m/\\042a\\134\\012\\342\\200\\256.dt\"\n"
                "@@ -1 +0,0 @@\n-a\n");
    assert_text(diff_unified(*state, STR("gr\xC3\xBC\xC3\x9F.dt"), STR("a\n"), STR("")),
                "--- gr\xC3\xBC\xC3\x9F.dt\n+++ gr\xC3\xBC\xC3\x9F.dt\n@@ -1 +0,0 @@\n-a\n");
}

static void test_too_many_changes_are_one(void **state) {
    StrBuf before = { .arena = *state };
    StrBuf after = { .arena = *state };
    for (int i = 0; i <= DIFF_CHANGES_MAX; i++) {
        strbuf_add_format(&before, "%d\nsame\n", i);
        strbuf_add_format(&after, "%d!\nsame\n", i);
    }

    const Str text = diff_unified(*state, STR("f"), strbuf_str(&before), strbuf_str(&after));

    const size_t last = str_find(text, STR("\n+500!\n"), 0);
    assert_true(last < text.len && str_find(text, STR("\n same\n"), 0) > last);
    assert_true(str_starts_with(text, STR("--- f\n+++ f\n@@ -1,1002 +1,1002 @@\n-0\n-same\n")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, drop_arena)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_equal_texts_have_no_difference),
        TEST(test_a_changed_line_has_three_lines_around),
        TEST(test_what_is_added_and_removed_is_no_more_than_needed),
        TEST(test_an_insertion_into_nothing_counts_from_zero),
        TEST(test_changes_near_each_other_are_one_hunk),
        TEST(test_a_missing_line_end_is_shown),
        TEST(test_a_path_with_blanks_ends_in_a_tab),
        TEST(test_a_path_that_a_terminal_acts_upon_is_quoted),
        TEST(test_too_many_changes_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
