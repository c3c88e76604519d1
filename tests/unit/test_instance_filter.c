#include "compiler/driver/command/instance_filter.h"

#include "tests/support/own_rows.h"
#include "tests/support/check.h"

static int set_up(void **state) {
    *state = session_create();
    return 0;
}

static int tear_down(void **state) {
    session_destroy(*state);
    return 0;
}

static InstanceFilter filter(Session *session, const char *text) {
    InstanceFilter filter;
    Str hint;
    assert_true(filter_read(session->arena, str_of(text), &filter, &hint));
    return filter;
}

static int match(Session *session, const char *text, const char *type) {
    const InstanceFilter asked = filter(session, text);
    return filter_match(&asked, own_instance(str_of(type)));
}

static void assert_refused(Session *session, const char *text) {
    InstanceFilter filter;
    Str hint;
    assert_false(filter_read(session->arena, str_of(text), &filter, &hint));
    assert_true(hint.len > 0);
}

static void test_a_part_of_the_name_matches(void **state) {
    assert_int_equal(match(*state, "p5", "p5en.48xlarge"), 1);
    assert_int_equal(match(*state, "48xl", "p5.48xlarge"), 1);
    assert_int_equal(match(*state, "p5", "p4d.24xlarge"), 0);
}

static void test_a_glob_is_over_the_whole_name(void **state) {
    assert_int_equal(match(*state, "p5.*", "p5.48xlarge"), 1);
    assert_int_equal(match(*state, "p5.*", "p5en.48xlarge"), 0);
}

static void test_an_accelerator_is_found_in_any_case(void **state) {
    assert_int_equal(match(*state, "h100", "p5.48xlarge"), 1);
    assert_int_equal(match(*state, "Nvidia", "p5.48xlarge"), 1);
    assert_int_equal(match(*state, "h200", "p5.48xlarge"), 0);
}

static void test_only_whole_words_of_an_accelerator_match(void **state) {
    assert_int_equal(match(*state, "L4", "g6.xlarge"), 1);
    assert_int_equal(match(*state, "L4", "g6e.xlarge"), 0); // L40S
    assert_int_equal(match(*state, "rtx pro", "g7e.2xlarge"), 1);
}

static void test_neuron_is_every_device_of_aws(void **state) {
    assert_int_equal(match(*state, "neuron", "trn1.32xlarge"), 1);
    assert_int_equal(match(*state, "neuron", "p5.48xlarge"), 0);
}

static void test_efa_alone_is_at_least_one(void **state) {
    assert_int_equal(match(*state, "efa", "p5.48xlarge"), 1);
    assert_int_equal(match(*state, "efa", "g5.xlarge"), 0);
    assert_int_equal(match(*state, "efa=0", "g5.xlarge"), 1);
}

static void test_a_number_of_efa_is_exact(void **state) {
    assert_int_equal(match(*state, "efa=32", "p5.48xlarge"), 1);
    assert_int_equal(match(*state, "efa=31", "p5.48xlarge"), 0);
    assert_int_equal(match(*state, "efa=33", "p5.48xlarge"), 0);
}

static void test_both_ends_of_a_range_belong_to_it(void **state) {
    assert_int_equal(match(*state, "efa=32..", "p5.48xlarge"), 1);
    assert_int_equal(match(*state, "efa=33..", "p5.48xlarge"), 0);
    assert_int_equal(match(*state, "efa=8..32", "p5.48xlarge"), 1);
    assert_int_equal(match(*state, "efa=8..31", "p5.48xlarge"), 0);
}

static void test_an_unknown_number_of_efa_matches_no_number(void **state) {
    assert_int_equal(match(*state, "efa=0..", "trn2u.48xlarge"), 0);
}

static void test_what_is_no_number_of_efa_is_refused(void **state) {
    assert_refused(*state, "efa>=16");
    assert_refused(*state, "efa=");
    assert_refused(*state, "efa=x");
    assert_refused(*state, "efa=16..8");
    assert_refused(*state, "efa=16.");
    assert_refused(*state, "efa=99999999999");
}

static void test_a_region_is_known_to_offer_or_not_or_not_known(void **state) {
    assert_int_equal(match(*state, "us-east-1", "p5.48xlarge"), 1);
    assert_int_equal(match(*state, "eu-west-3", "p5.48xlarge"), 0);
    assert_int_equal(match(*state, "us-east-1", "c5.large"), UNKNOWN);
}

static void test_an_architecture_is_that_of_the_processor(void **state) {
    assert_int_equal(match(*state, "arm64", "hpc7g.4xlarge"), 1);
    assert_int_equal(match(*state, "x86_64", "hpc7g.4xlarge"), 0);
}

static void test_the_nearest_word_is_of_any_kind(void **state) {
    assert_text(filter_nearest(*state, STR("us-esat-1")), "us-east-1");
    assert_text(filter_nearest(*state, STR("nvidai")), "nvidia");
    assert_text(filter_nearest(*state, STR("p5.48xlrge")), "p5.48xlarge");
    assert_text(filter_nearest(*state, STR("something else")), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_a_part_of_the_name_matches),
        TEST(test_a_glob_is_over_the_whole_name),
        TEST(test_an_accelerator_is_found_in_any_case),
        TEST(test_only_whole_words_of_an_accelerator_match),
        TEST(test_neuron_is_every_device_of_aws),
        TEST(test_efa_alone_is_at_least_one),
        TEST(test_a_number_of_efa_is_exact),
        TEST(test_both_ends_of_a_range_belong_to_it),
        TEST(test_an_unknown_number_of_efa_matches_no_number),
        TEST(test_what_is_no_number_of_efa_is_refused),
        TEST(test_a_region_is_known_to_offer_or_not_or_not_known),
        TEST(test_an_architecture_is_that_of_the_processor),
        TEST(test_the_nearest_word_is_of_any_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
