#include "stdlib/node/core/text.h"

#include "tests/support/check.h"

static void test_versions_are_compared_number_by_number(void **state) {
    (void)state;

    assert_true(version_is_at_least("2.10.0", "2.9.1"));
    assert_true(version_is_at_least("2.10.0", "2.10.0"));
    assert_false(version_is_at_least("2.9.1", "2.10.0"));
    assert_false(version_is_at_least("535.104.5", "550"));
}

static void test_what_follows_a_version_is_ignored(void **state) {
    (void)state;

    assert_true(version_is_at_least("2.10.0g\n", "2.10.0"));
    assert_true(version_is_at_least("2.10.0.7", "2.10"));
}

static void test_a_version_that_is_cut_off_is_older(void **state) {
    (void)state;

    assert_false(version_is_at_least("2.10", "2.10.1"));
    assert_true(version_is_at_least("2.10", "2.10.0"));
    assert_false(version_is_at_least("", "1"));
}

static void test_words_end_at_blanks_and_line_feeds(void **state) {
    (void)state;

    assert_true(word_is("efa\n", "efa"));
    assert_true(word_is("efa more", "efa 2"));
    assert_false(word_is("efa2", "efa"));
    assert_false(word_is("ef", "efa"));
    assert_true(word_is("", "\n"));
}

static void test_the_next_word_stays_on_the_line(void **state) {
    (void)state;

    assert_string_equal(word_next("one  two"), "two");
    assert_string_equal(word_next("one\ntwo"), "\ntwo");
    assert_string_equal(word_next("one"), "");
}

static void test_what_is_not_found_is_empty(void **state) {
    (void)state;

    assert_string_equal(text_find("MemTotal: 5", "MemTotal:"), " 5");
    assert_string_equal(text_find("MemTotal: 5", "MemFree:"), "");
    assert_null(text_after("efa", "efa0"));
}

static void test_numbers_end_at_the_first_other_byte(void **state) {
    (void)state;

    assert_int_equal(number_at("65536 files"), 65536);
    assert_int_equal(number_at("x"), 0);
    assert_int_equal(hex_at("1D0F:EFA2"), 0x1d0f);
    assert_int_equal(hex_at("efa2"), 0xefa2);
}

static void test_a_number_of_many_digits_does_not_wrap(void **state) {
    (void)state;

    assert_true(number_at("99999999999999999999999999999999") > (uint64_t)1 << 56);
}

// What a pattern makes of two texts, in a buffer of that many bytes.
static const char *put(char buffer[1024], int size, const char *pattern, const char *a, const char *b) {
    Text text = { .data = buffer, .size = size };
    text_put(&text, pattern, a, b);
    buffer[text.len] = '\0';
    return buffer;
}

static void test_patterns_take_lines_and_words(void **state) {
    (void)state;
    char buffer[1024];

    assert_string_equal(put(buffer, 99, "{'a':'%','b':'$'}", "one two\nthree", "four five"),
                        "{\"a\":\"one two\",\"b\":\"four\"}");
}

static void test_nothing_leaves_a_string(void **state) {
    (void)state;
    char buffer[1024];

    assert_string_equal(put(buffer, 99, "'%'", "a\"b\\c\x7f\xc3z", NULL), "\"a?b?c??z\"");
}

static void test_long_texts_end_in_dots(void **state) {
    (void)state;
    char buffer[1024];
    char text[600];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';

    assert_int_equal(strlen(put(buffer, 1000, "%", text, NULL)), 512);
    assert_string_equal(buffer + 508, "a...");
}

static void test_what_does_not_fit_is_left_out(void **state) {
    (void)state;
    char buffer[1024];

    assert_string_equal(put(buffer, 4, "% and %", "one", "two"), "one ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions_are_compared_number_by_number),
        cmocka_unit_test(test_what_follows_a_version_is_ignored),
        cmocka_unit_test(test_a_version_that_is_cut_off_is_older),
        cmocka_unit_test(test_words_end_at_blanks_and_line_feeds),
        cmocka_unit_test(test_the_next_word_stays_on_the_line),
        cmocka_unit_test(test_what_is_not_found_is_empty),
        cmocka_unit_test(test_numbers_end_at_the_first_other_byte),
        cmocka_unit_test(test_a_number_of_many_digits_does_not_wrap),
        cmocka_unit_test(test_patterns_take_lines_and_words),
        cmocka_unit_test(test_nothing_leaves_a_string),
        cmocka_unit_test(test_long_texts_end_in_dots),
        cmocka_unit_test(test_what_does_not_fit_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
