#include "compiler/base/shell.h"

#include "tests/support/check.h"

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

static void test_terminal_gets_no_controls(void **state) {
    assert_text(word_of(*state, STR("a\x1b[31m'\"%\t\xe2\x80\xae b")),
                "\"$(printf 'a\\033\\13331m\\047\\042%%\\011\\342\\200\\256 b')\"");
    assert_text(word_of(*state, STR("\xff")), "\"$(printf '\\377')\"");
    assert_text(word_of(*state, STR("a\nb\n\n")), "\"$(printf 'a\\012b')\"'\n\n'");
    assert_text(word_of(*state, STR("-a\n-b")), "\"$(printf '\\055a\\012-b')\"");
}

static void test_command_has_words_and_quoted_texts(void **state) {
    StrBuf command = { .arena = *state };

    shell_add(&command, "aws s3 cp", STR("a b"));
    shell_add(&command, "", STR("s3://bucket/$x"));
    shell_add_given(&command, "--region", STR("us-east-1"));
    shell_add_given(&command, "--profile", STR_NONE);

    assert_text(strbuf_str(&command), "aws s3 cp 'a b' 's3://bucket/$x' --region us-east-1");
}

static void test_home_and_line_end_are_quoted(void **state) {
    assert_text(word_of(*state, STR("~\n")), "'~\n'");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, arena_setup, arena_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_path_stays_as_it_is),          TEST(test_empty_text_is_a_word),
        TEST(test_nothing_is_expanded),          TEST(test_single_quote_stands_between_quotes),
        TEST(test_terminal_gets_no_controls),    TEST(test_command_has_words_and_quoted_texts),
        TEST(test_home_and_line_end_are_quoted),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
