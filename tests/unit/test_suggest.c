#include "compiler/base/suggest.h"

#include "compiler/base/session.h"

#include "tests/support/check.h"

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

// "sure", "unsure", or "none" where nothing is near.
static const char *verdict(const char *name, const char *first, const char *second) {
    Suggestion suggestion = { .name = str_of(name) };
    suggest_offer(&suggestion, str_of(first));
    suggest_offer(&suggestion, str_of(second));
    return suggestion.best.len == 0 ? "none" : suggest_is_sure(&suggestion) ? "sure" : "unsure";
}

static void test_one_edit_within_a_word_is_sure(void **state) {
    (void)state;
    assert_string_equal(verdict("trian", "train", "test"), "sure");
    assert_string_equal(verdict("per_zones", "per_zone", "none"), "sure");
    assert_string_equal(verdict("gpus", "gpu", ""), "sure");
    assert_string_equal(verdict("efa-layout", "efa_layout", ""), "sure");
}

static void test_two_edits_are_not_sure(void **state) {
    (void)state;
    assert_string_equal(verdict("dynamo", "dynamodb", ""), "unsure");
}

static void test_a_short_word_is_not_sure(void **state) {
    (void)state;
    assert_string_equal(verdict("lmm", "llm", ""), "unsure");
    assert_string_equal(verdict("lab-c", "lab-a", ""), "unsure");
}

static void test_a_digit_is_not_sure(void **state) {
    (void)state;
    assert_string_equal(verdict("p9.48xlarge", "p5.48xlarge", ""), "unsure");
    assert_string_equal(verdict("workers2", "workers", ""), "unsure");
}

static void test_a_rival_makes_it_unsure(void **state) {
    (void)state;
    assert_string_equal(verdict("workerr", "worker", "workers"), "unsure");
    assert_string_equal(verdict("workerr", "workers", "worker"), "unsure");
    assert_string_equal(verdict("workerr", "worker", "worker"), "sure");
}

static void test_case_alone_is_sure_unless_twice(void **state) {
    (void)state;
    assert_string_equal(verdict("P5.48xlarge", "p5.48xlarge", "p5e.48xlarge"), "sure");
    assert_string_equal(verdict("LAB", "Lab", "lab"), "unsure");
}

static void test_a_sign_between_words_is_sure(void **state) {
    (void)state;
    assert_string_equal(verdict("node-group", "nodegroup", ""), "sure");
    assert_string_equal(verdict("team-a", "teama", ""), "unsure");
}

static void test_names_have_the_same_digits(void **state) {
    (void)state;
    assert_true(suggest_is_of_digits(STR("m7i.12xlrge"), STR("m7i.12xlarge")));
    assert_false(suggest_is_of_digits(STR("m7i.12xlrge"), STR("m7i.2xlarge")));
    assert_false(suggest_is_of_digits(STR("p5.48xlarge"), STR("p5.48xlarge2")));
    assert_true(suggest_is_of_digits(STR("a"), STR("b")));
}

static const Diag *said(Session *session, const char *name, const char *candidate) {
    Suggestion suggestion = { .name = str_of(name) };
    suggest_offer(&suggestion, str_of(candidate));
    Diag *diag = report(session, SPAN_NONE, DIAG(cannot_read), 4, name, "why");
    const uint32_t source = source_add(session, STR("main.dt"), str_format(session->arena, "   %s", name));
    suggest_say(session, diag, &suggestion, (Span){ .source = source, .start = 3, .end = 3 + (uint32_t)strlen(name) });
    return diag;
}

static void test_words_that_differ_in_case_and_signs_are_sure(void **state) {
    (void)state;
    static const char *const PAIRS[][2] = { { "Cluster", "cluster" },
                                            { "no-schedule", "NoSchedule" },
                                            { "if_not_present", "IfNotPresent" },
                                            { "persistent-2", "PERSISTENT_2" } };
    for (size_t i = 0; i < COUNT_OF(PAIRS); i++) {
        Suggestion suggestion = { .name = str_of(PAIRS[i][0]) };
        suggest_offer(&suggestion, str_of(PAIRS[i][1]));
        assert_true(suggest_is_sure(&suggestion));
    }
    Suggestion other = { .name = STR("gpu-a") };
    suggest_offer(&other, STR("gpua"));
    assert_false(suggest_is_sure(&other));
}

static void test_a_fix_changes_a_name_that_is_written(void **state) {
    (void)state;
    Session *session = session_create();
    const uint32_t source = source_add(session, STR("a.yaml"), STR("'nodse' !Ref nodse-2"));
    const Suggestion suggestion = { .name = STR("nodse"), .best = STR("nodes") };

    assert_true(suggest_is_written(session, &suggestion, (Span){ .source = source, .start = 0, .end = 7 }));
    assert_true(suggest_is_written(session, &suggestion, (Span){ .source = source, .start = 1, .end = 6 }));
    assert_false(suggest_is_written(session, &suggestion, (Span){ .source = source, .start = 8, .end = 20 }));
    session_destroy(session);
}

static void test_only_what_is_sure_becomes_a_fix(void **state) {
    (void)state;
    Session *session = session_create();

    const Diag *sure = said(session, "nodse", "nodes");
    const Diag *unsure = said(session, "dynamo", "dynamodb");
    const Diag *far = said(session, "network", "batch");

    assert_int_equal(sure->helps.count, 1);
    assert_text(sure->helps.items[0], "did you mean `nodes`?");
    assert_int_equal(sure->fixes.count, 1);
    assert_text(sure->fixes.items[0].replacement, "nodes");
    assert_int_equal(sure->fixes.items[0].span.start, 3);
    assert_int_equal(unsure->helps.count, 1);
    assert_int_equal(unsure->fixes.count, 0);
    assert_int_equal(far->helps.count, 0);
    session_destroy(session);
}

static void test_ends_alone_differ(void **state) {
    (void)state;
    assert_true(suggest_ends_alone_differ(STR("corpora"), STR("corpus")));
    assert_true(suggest_ends_alone_differ(STR("fsx"), STR("fsx-data")));
    assert_false(suggest_ends_alone_differ(STR("data-in"), STR("data-out")));
    assert_false(suggest_ends_alone_differ(STR("gpu1"), STR("gpu2")));
    assert_false(suggest_ends_alone_differ(STR("fsx"), STR("")));
    assert_false(suggest_ends_alone_differ(STR("fsx"), STR("fsx")));
}

static void test_a_sign_within_a_word_is_sure(void **state) {
    (void)state;
    Suggestion suggestion = { .name = STR("aws-logs-group") };
    suggest_offer(&suggestion, STR("awslogs-group"));
    Suggestion number = { .name = STR("gpu-1") };
    suggest_offer(&number, STR("gpu1"));

    assert_true(suggest_is_sure(&suggestion));
    assert_false(suggest_is_sure(&number));
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
        cmocka_unit_test(test_ends_alone_differ),
        cmocka_unit_test(test_a_sign_within_a_word_is_sure),
        cmocka_unit_test(test_one_edit_within_a_word_is_sure),
        cmocka_unit_test(test_two_edits_are_not_sure),
        cmocka_unit_test(test_a_short_word_is_not_sure),
        cmocka_unit_test(test_a_digit_is_not_sure),
        cmocka_unit_test(test_a_rival_makes_it_unsure),
        cmocka_unit_test(test_case_alone_is_sure_unless_twice),
        cmocka_unit_test(test_words_that_differ_in_case_and_signs_are_sure),
        cmocka_unit_test(test_a_sign_between_words_is_sure),
        cmocka_unit_test(test_names_have_the_same_digits),
        cmocka_unit_test(test_a_fix_changes_a_name_that_is_written),
        cmocka_unit_test(test_only_what_is_sure_becomes_a_fix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
