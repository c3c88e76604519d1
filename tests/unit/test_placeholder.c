#include "compiler/plan/rules/placeholder.h"

#include "tests/support/check.h"

// What is found first in a text, or nothing.
static Str found_in(Str whole, TextUse use) {
    size_t start = 0;
    size_t end = 0;
    if (!placeholder_find(whole, use, 0, &start, &end)) {
        return STR_NONE;
    }
    assert_true(end > start);
    return str_slice(whole, start, end);
}

static Str found(const char *text, TextUse use) {
    return found_in(str_of(text), use);
}

// Of the first bytes of a text, which goes on behind them.
static Str found_within(const char *text, size_t len, TextUse use) {
    return found_in(str_slice(str_of(text), 0, len), use);
}

static void test_words_are_found_with_what_is_tied_to_them(void **state) {
    (void)state;

    assert_text(found("PLACEHOLDER", TEXT_SCRIPT), "PLACEHOLDER");
    assert_text(found("vpc-PLACEHOLDER_VPC_ID/x", TEXT_SCRIPT), "PLACEHOLDER_VPC_ID");
    assert_text(found("CHANGE_ME", TEXT_SCRIPT), "CHANGE_ME");
    assert_text(found("x CHANGEME", TEXT_SCRIPT), "CHANGEME");
    assert_text(found("x REPLACEME", TEXT_SCRIPT), "REPLACEME");
    assert_text(found("s3://REPLACE_ME_BUCKET/data", TEXT_SCRIPT), "REPLACE_ME_BUCKET");
    assert_text(found("s3://buckets/PLACEHOLDER/x", TEXT_SCRIPT), "PLACEHOLDER");
}

static void test_longer_words_are_other_words(void **state) {
    (void)state;

    assert_text(found("PLACEHOLDERS", TEXT_PLAIN), "");
    assert_text(found("PLACEHOLDER9", TEXT_PLAIN), "");
    assert_text(found("NO_PLACEHOLDER", TEXT_PLAIN), "");
    assert_text(found("EXCHANGE_ME", TEXT_PLAIN), "");
    assert_text(found("PLACEHOLDERZ", TEXT_PLAIN), "");
    assert_text(found("PLACEHOLDERz", TEXT_PLAIN), "");
    assert_text(found("XPLACEHOLDER", TEXT_PLAIN), "");
    assert_text(found("placeholder", TEXT_PLAIN), "");
    assert_text(found("", TEXT_PLAIN), "");
}

static void test_what_a_script_replaces_itself_is_none(void **state) {
    (void)state;

    assert_text(found("sed 's/PLACEHOLDER/x/' file", TEXT_SCRIPT), "");
    assert_text(found("s|REPLACE_ME|x|", TEXT_SCRIPT), "");
    assert_text(found("as/PLACEHOLDER/b", TEXT_SCRIPT), "PLACEHOLDER");
    assert_text(found("x/as/PLACEHOLDER/b", TEXT_SCRIPT), "PLACEHOLDER");
    assert_text(found_in(STR("s\0PLACEHOLDER"), TEXT_SCRIPT), "PLACEHOLDER");
}

static void test_your_is_found_in_any_case(void **state) {
    (void)state;

    assert_text(found("s3://<your-bucket>/x", TEXT_SCRIPT), "<your-bucket>");
    assert_text(found("<YOUR_TOKEN>", TEXT_SCRIPT), "<YOUR_TOKEN>");
    assert_text(found("<Your account id>", TEXT_SCRIPT), "<Your account id>");
    assert_text(found("<your bucket>", TEXT_SCRIPT), "<your bucket>");
    assert_text(found("<yours>", TEXT_PLAIN), "");
    assert_text(found("<your>", TEXT_PLAIN), "");
    assert_text(found("<our-bucket>", TEXT_PLAIN), "");
    assert_text(found("<your-bucket", TEXT_PLAIN), "");
    assert_text(found("a < your-b > c", TEXT_PLAIN), "");
}

static void test_upper_case_in_brackets_is_left_to_scripts(void **state) {
    (void)state;

    assert_text(found("arn:aws:iam::<ACCOUNT_ID>:role/x", TEXT_VALUE), "<ACCOUNT_ID>");
    assert_text(found("<REGION>", TEXT_VALUE), "<REGION>");
    assert_text(found("<ACCOUNT>", TEXT_VALUE), "<ACCOUNT>");
    assert_text(found("<ZONE-A_Z9>", TEXT_VALUE), "<ZONE-A_Z9>");
    assert_text(found("usage: run <NUM_NODES>", TEXT_SCRIPT), "");
    assert_text(found("<<END_OF>file", TEXT_VALUE), "");
    assert_text(found("<_A_>", TEXT_VALUE), "");
    assert_text(found("<Ab_C>", TEXT_VALUE), "");
    assert_text(found("<A_b>", TEXT_VALUE), "");
    assert_text(found("<A_B", TEXT_VALUE), "");
    assert_text(found("<>", TEXT_VALUE), "");
    assert_text(found("cat <<END_OF>file", TEXT_VALUE), "");
    assert_text(found("<INPUT>", TEXT_VALUE), "");
    assert_text(found("<div>", TEXT_PLAIN), "");
}

static void test_a_variable_is_found_where_nothing_substitutes_it(void **state) {
    (void)state;

    assert_text(found("lab-${TEAM}", TEXT_PLAIN), "${TEAM}");
    assert_text(found("${AWS::Region}", TEXT_PLAIN), "${AWS::Region}");
    assert_text(found("${T} x", TEXT_PLAIN), "${T}");
    assert_text(found("${TEAM}", TEXT_VALUE), "");
    assert_text(found("$TEAM}", TEXT_PLAIN), "");
    assert_text(found("${1A}", TEXT_PLAIN), "");
    assert_text(found("${-}", TEXT_PLAIN), "");
    assert_text(found("${A::-}", TEXT_PLAIN), "");
    assert_text(found("${aws:username}", TEXT_PLAIN), "");
    assert_text(found("$${TEAM}", TEXT_PLAIN), "");
    assert_text(found("${TEAM", TEXT_PLAIN), "");
    assert_text(found("${#a[@]} ${1} ${9}", TEXT_PLAIN), "");
    assert_text(found("costs 5$", TEXT_PLAIN), "");
}

static void test_what_lies_around_the_text_is_not_of_it(void **state) {
    (void)state;

    assert_text(found_within("PLACEHOLDERS", 11, TEXT_PLAIN), "PLACEHOLDER");
    assert_text(found_within("PLACEHOLDER", 10, TEXT_PLAIN), "");
    assert_text(found_within("PLACEHOLDER_AB", 13, TEXT_PLAIN), "PLACEHOLDER_A");
    assert_text(found_within("<ACCOUNT_ID>", 11, TEXT_PLAIN), "");
    assert_text(found_within("${TEAM}", 6, TEXT_PLAIN), "");
    assert_text(found_in(str_slice(STR("<<END_OF>"), 1, 9), TEXT_PLAIN), "<END_OF>");
    assert_text(found_in(str_slice(STR("$${TEAM}"), 1, 8), TEXT_PLAIN), "${TEAM}");
}

static void test_the_next_one_is_behind_the_first(void **state) {
    (void)state;
    const Str text = STR("PLACEHOLDER_A PLACEHOLDER_B");
    size_t start = 0;
    size_t end = 0;

    assert_true(placeholder_find(text, TEXT_PLAIN, 1, &start, &end));

    assert_int_equal(start, 14);
    assert_int_equal(end, text.len);
}

static void test_words_in_angle_brackets_are_found_anywhere(void **state) {
    (void)state;
    size_t start = 0;
    size_t end = 0;

    assert_true(placeholder_find_angle(STR("arn:aws:iam::<the account>:role/a"), 0, &start, &end));
    assert_int_equal(start, 13);
    assert_int_equal(end, 26);
    assert_false(placeholder_find_angle(STR("a < b > c"), 0, &start, &end));
    assert_false(placeholder_find_angle(STR("<a"), 0, &start, &end));
    assert_false(placeholder_find_angle(STR("<|end|>"), 0, &start, &end));
}

static void test_two_words_are_a_placeholder_and_one_may_be_a_token(void **state) {
    (void)state;

    assert_true(placeholder_is_words(STR("<HF_token>")));
    assert_true(placeholder_is_words(STR("<your key>")));
    assert_false(placeholder_is_words(STR("<image>")));
    assert_false(placeholder_is_words(STR("<end_of_turn>")));
    assert_false(placeholder_is_words(STR("x <HF_token>")));
    assert_false(placeholder_is_words(STR("")));
}

static void test_a_variable_alone_is_told(void **state) {
    (void)state;

    assert_true(placeholder_is_variable(STR("$A")));
    assert_true(placeholder_is_variable(STR("${A}")));
    assert_false(placeholder_is_variable(STR("$1")));
    assert_false(placeholder_is_variable(STR("$")));
    assert_false(placeholder_is_variable(STR("${A}b")));
    assert_false(placeholder_is_variable(STR("a$A")));
}

static void test_two_variables_are_counted_by_their_names(void **state) {
    (void)state;
    bool has_one;

    assert_false(placeholder_has_variables(STR("$A and ${A}"), &has_one));
    assert_true(has_one);
    assert_true(placeholder_has_variables(STR("$A and ${B}"), &has_one));
    assert_false(placeholder_has_variables(STR("5$ $1 $("), &has_one));
    assert_false(has_one);
}

static bool is_filled_by(const char *script, const char *other, const char *placeholder) {
    Arena *arena = arena_create();
    PlanFillers fillers = { 0 };
    placeholder_add_filler(arena, &fillers, str_of(script));
    placeholder_add_filler(arena, &fillers, str_of(other));
    placeholder_sort_fillers(&fillers);
    const bool is = placeholder_is_filled_by(&fillers, str_of(placeholder));
    arena_destroy(arena);
    return is;
}

static void test_a_script_fills_in_what_it_replaces(void **state) {
    (void)state;

    assert_true(is_filled_by("sed -e 's/PLACEHOLDER_A/b/' c", "", "PLACEHOLDER_A"));
    assert_true(is_filled_by("sed -i \"s|<your-bucket>|$B|g\" c", "", "<your-bucket>"));
    assert_true(is_filled_by("sed \"s#\\${A}#b#\" c", "", "${A}"));
    assert_true(is_filled_by("envsubst < a > b", "", "${A}"));
    assert_false(is_filled_by("envsubst < a > b", "", "${AWS::Region}"));
    assert_false(is_filled_by("envsubst < a > b", "", "PLACEHOLDER_A"));
    assert_false(is_filled_by("sed -e 's/PLACEHOLDER_B/b/' c", "", "PLACEHOLDER_A"));
    assert_false(is_filled_by("sed -n '/PLACEHOLDER_A/p' c", "", "PLACEHOLDER_A"));
    assert_false(is_filled_by("echo s/PLACEHOLDER_A/", "", "PLACEHOLDER_A"));
    assert_false(is_filled_by("sed s/", "", "PLACEHOLDER_A"));
}

static void test_each_of_several_texts_is_found(void **state) {
    (void)state;
    const char *const one = "sed -e 's/PLACEHOLDER_C/c/' -e 's/PLACEHOLDER_A/a/' -e 's/PLACEHOLDER_E/e/'";
    const char *const other = "sed -e 's/PLACEHOLDER_B/b/' -e 's/PLACEHOLDER_A/z/'";

    assert_true(is_filled_by(one, other, "PLACEHOLDER_A"));
    assert_true(is_filled_by(one, other, "PLACEHOLDER_B"));
    assert_true(is_filled_by(one, other, "PLACEHOLDER_E"));
    assert_false(is_filled_by(one, other, "PLACEHOLDER_D"));
    assert_false(is_filled_by(one, "echo s/PLACEHOLDER_D/d/", "PLACEHOLDER_D"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_are_found_with_what_is_tied_to_them),
        cmocka_unit_test(test_longer_words_are_other_words),
        cmocka_unit_test(test_what_a_script_replaces_itself_is_none),
        cmocka_unit_test(test_your_is_found_in_any_case),
        cmocka_unit_test(test_upper_case_in_brackets_is_left_to_scripts),
        cmocka_unit_test(test_a_variable_is_found_where_nothing_substitutes_it),
        cmocka_unit_test(test_what_lies_around_the_text_is_not_of_it),
        cmocka_unit_test(test_the_next_one_is_behind_the_first),
        cmocka_unit_test(test_words_in_angle_brackets_are_found_anywhere),
        cmocka_unit_test(test_two_words_are_a_placeholder_and_one_may_be_a_token),
        cmocka_unit_test(test_a_variable_alone_is_told),
        cmocka_unit_test(test_two_variables_are_counted_by_their_names),
        cmocka_unit_test(test_a_script_fills_in_what_it_replaces),
        cmocka_unit_test(test_each_of_several_texts_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
