#include "compiler/base/shell.h"

#include "tests/unit/check.h"

static Str word_of(Arena *arena, Str text) {
    StrBuf out = { .arena = arena };
    shell_add_word(&out, text);
    return strbuf_str(&out);
}

static int arena_setup(void **state) {
    *state = arena_create();
    return 0;
}

static int arena_teardown(void **state) {
    arena_destroy(*state);
    return 0;
}

static void test_path_stays_as_it_is(void **state) {
    assert_text(word_of(*state, STR("scripts/prepare-1.sh")), "scripts/prepare-1.sh");
}

static void test_empty_text_is_a_word(void **state) {
    assert_text(word_of(*state, STR("")), "''");
}

static void test_nothing_is_expanded(void **state) {
    assert_text(word_of(*state, STR("$(id) `id` ${x} * \\ \"")), "'$(id) `id` ${x} * \\ \"'");
}

static void test_single_quote_stands_between_quotes(void **state) {
    assert_text(word_of(*state, STR("agent's")), "'agent'\\''s'");
}

static void test_home_and_line_end_are_quoted(void **state) {
    assert_text(word_of(*state, STR("~\n")), "'~\n'");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, arena_setup, arena_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_path_stays_as_it_is),
        TEST(test_empty_text_is_a_word),
        TEST(test_nothing_is_expanded),
        TEST(test_single_quote_stands_between_quotes),
        TEST(test_home_and_line_end_are_quoted),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
