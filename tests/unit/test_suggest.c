#include "compiler/base/suggest.h"

#include "tests/unit/check.h"

static Str nearest(const char *name, const char *first, const char *second) {
    Suggestion suggestion = { .name = str_of(name) };
    suggest_offer(&suggestion, str_of(first));
    suggest_offer(&suggestion, str_of(second));
    return suggestion.best;
}

static void test_the_nearest_name_wins(void **state) {
    (void)state;
    assert_text(nearest("instnce", "instances", "instance"), "instance");
    assert_text(nearest("parallelclster", "parallelcluster", "batch"), "parallelcluster");
}

static void test_of_equals_the_first_stays(void **state) {
    (void)state;
    assert_text(nearest("cat1", "cat2", "cat3"), "cat2");
}

static void test_two_letters_swapped_are_one_edit(void **state) {
    (void)state;
    assert_text(nearest("efa", "eaf", "none"), "eaf");
    assert_text(nearest("netwrok", "network", "networks"), "network");
}

static void test_case_alone_is_nearer_than_an_edit(void **state) {
    (void)state;
    assert_text(nearest("Nodes", "Modes", "nodes"), "nodes");
    assert_text(nearest("A", "b", "a"), "a");
}

static void test_three_edits_are_too_many(void **state) {
    (void)state;
    assert_text(nearest("abcdefgh", "abcdexyz", ""), "");
    assert_text(nearest("abcdefgh", "abcdefyz", ""), "abcdefyz");
}

static void test_half_of_a_short_name_is_too_much(void **state) {
    (void)state;
    assert_text(nearest("ab", "ac", ""), "");
    assert_text(nearest("abc", "abd", ""), "abd");
    assert_text(nearest("abcd", "abxy", ""), "");
    assert_text(nearest("abcde", "abcxy", ""), "abcxy");
}

static void test_very_long_names_have_no_neighbours(void **state) {
    (void)state;
    char name[100];
    memset(name, 'a', sizeof(name));
    name[99] = 0;

    assert_text(nearest(name, name, "a"), "");
    assert_text(nearest("", "a", "b"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_nearest_name_wins),
        cmocka_unit_test(test_of_equals_the_first_stays),
        cmocka_unit_test(test_two_letters_swapped_are_one_edit),
        cmocka_unit_test(test_case_alone_is_nearer_than_an_edit),
        cmocka_unit_test(test_three_edits_are_too_many),
        cmocka_unit_test(test_half_of_a_short_name_is_too_much),
        cmocka_unit_test(test_very_long_names_have_no_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
