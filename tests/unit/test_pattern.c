#include "compiler/base/pattern.h"

#include "compiler/base/session.h"
#include "tests/support/check.h"

static int make_session(void **state) {
    *state = session_create();
    return 0;
}

static int drop_session(void **state) {
    session_destroy(*state);
    return 0;
}

static void test_the_whole_text_must_match(void **state) {
    assert_int_equal(pattern_match(*state, STR("vpc-[0-9a-f]+"), STR("vpc-0a1b"), NULL), PATTERN_YES);
    assert_int_equal(pattern_match(*state, STR("vpc-[0-9a-f]+"), STR("vpc-0a1b "), NULL), PATTERN_NO);
    assert_int_equal(pattern_match(*state, STR("vpc-[0-9a-f]+"), STR("my vpc-0a1b"), NULL), PATTERN_NO);
    assert_int_equal(pattern_match(*state, STR("a|ab"), STR("ab"), NULL), PATTERN_YES);
}

static void test_a_line_end_is_part_of_the_text(void **state) {
    assert_int_equal(pattern_match(*state, STR("^abc$"), STR("abc"), NULL), PATTERN_YES);
    assert_int_equal(pattern_match(*state, STR("^abc$"), STR("abc\n"), NULL), PATTERN_NO);
}

static void test_empty_texts_and_patterns(void **state) {
    assert_int_equal(pattern_match(*state, STR_NONE, STR_NONE, NULL), PATTERN_YES);
    assert_int_equal(pattern_match(*state, STR_NONE, STR("a"), NULL), PATTERN_NO);
    assert_int_equal(pattern_match(*state, STR("a*"), STR_NONE, NULL), PATTERN_YES);
}

static void test_characters_are_not_bytes(void **state) {
    assert_int_equal(pattern_match(*state, STR("."), STR("\xC3\xA9"), NULL), PATTERN_YES);
    assert_int_equal(pattern_match(*state, STR(".."), STR("\xC3\xA9"), NULL), PATTERN_NO);
    assert_int_equal(pattern_match(*state, STR(".*"), STR("\xFF"), NULL), PATTERN_NO);
}

static void test_a_bad_pattern_says_why(void **state) {
    Str fault = STR_NONE;

    assert_int_equal(pattern_match(*state, STR("a(b"), STR("a"), &fault), PATTERN_BAD);
    assert_text(fault, "missing closing parenthesis, at byte 4");
    assert_int_equal(pattern_match(*state, STR("a(b"), STR("a"), NULL), PATTERN_BAD);
}

static void test_a_pattern_that_takes_for_ever_is_stopped(void **state) {
    const Str text = STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");

    assert_int_equal(pattern_match(*state, STR("(a|aa)+$"), text, NULL), PATTERN_LIMIT);
}

static void test_an_overlong_pattern_is_bad(void **state) {
    Session *session = *state;
    StrBuf pattern = { .arena = session->arena };
    strbuf_add_repeated(&pattern, 'a', 5000);

    assert_int_equal(pattern_match(session, strbuf_str(&pattern), STR("a"), NULL), PATTERN_BAD);
}

static void test_more_patterns_than_are_kept(void **state) {
    Session *session = *state;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 1000; i++) {
            const Str text = str_format(session->arena, "n%d", i);
            assert_int_equal(pattern_match(session, text, text, NULL), PATTERN_YES);
        }
    }
}

static void test_a_text_in_other_words(void **state) {
    assert_text(pattern_replace(*state, STR("arn:.+:s3:::(.+)"), STR("arn:aws:s3:::b/c"), STR("s3://$1")), "s3://b/c");
    assert_text(pattern_replace(*state, STR("latest"), STR("latest"), STR("$$Latest")), "$Latest");
    assert_text(pattern_replace(*state, STR("latest"), STR("the latest"), STR("$$Latest")), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_whole_text_must_match),
        cmocka_unit_test(test_a_line_end_is_part_of_the_text),
        cmocka_unit_test(test_empty_texts_and_patterns),
        cmocka_unit_test(test_characters_are_not_bytes),
        cmocka_unit_test(test_a_bad_pattern_says_why),
        cmocka_unit_test(test_a_pattern_that_takes_for_ever_is_stopped),
        cmocka_unit_test(test_an_overlong_pattern_is_bad),
        cmocka_unit_test(test_more_patterns_than_are_kept),
        cmocka_unit_test(test_a_text_in_other_words),
    };
    return cmocka_run_group_tests(tests, make_session, drop_session);
}
