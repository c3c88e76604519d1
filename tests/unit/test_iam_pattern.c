#include "compiler/plan/model/iam_pattern.h"

#include "tests/support/check.h"

static bool fits(const char *pattern, const char *text) {
    return iam_matches(str_of(pattern), str_of(text));
}

static void test_star_is_any_text_with_its_slashes(void **state) {
    (void)state;

    assert_true(fits("*", ""));
    assert_true(fits("corpus/*", "corpus/a/b"));
    assert_true(fits("*/train.sh", "team/jobs/train.sh"));
    assert_true(fits("a*b*c", "a1b2b3c"));
    assert_false(fits("corpus/*", "corpus"));
    assert_false(fits("a*b*c", "a1b2"));
}

static void test_question_mark_is_one_letter(void **state) {
    (void)state;

    assert_true(fits("run-?", "run-1"));
    assert_false(fits("run-?", "run-"));
    assert_false(fits("run-?", "run-12"));
}

static void test_letters_of_an_action_are_of_any_case(void **state) {
    (void)state;

    assert_true(iam_matches_action(STR("S3:put*"), STR("s3:PutObject")));
    assert_false(iam_matches_action(STR("s3:Get*"), STR("s3:PutObject")));
    assert_false(fits("S3:Put*", "s3:PutObject"));
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_star_is_any_text_with_its_slashes),
        cmocka_unit_test(test_question_mark_is_one_letter),
        cmocka_unit_test(test_letters_of_an_action_are_of_any_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
