#include "compiler/driver/command/options.h"

#include "tests/support/check.h"

typedef struct {
    Arena *arena;
    Options options;
    UsageFault fault;
} Fixture;

static int set_up(void **state) {
    Fixture *fixture = calloc(1, sizeof(Fixture));
    if (fixture == NULL) {
        return -1;
    }
    fixture->arena = arena_create();
    *state = fixture;
    return 0;
}

static int tear_down(void **state) {
    Fixture *fixture = *state;
    arena_destroy(fixture->arena);
    free(fixture);
    return 0;
}

#define parse(fixture, ...)                                                                                            \
    options_parse((fixture)->arena, (int)COUNT_OF(((const char *[]){ __VA_ARGS__ })), (const char *[]){ __VA_ARGS__ }, \
                  &(fixture)->options, &(fixture)->fault)

static void test_output_directory_is_out_by_default(void **state) {
    Fixture *fixture = *state;

    assert_true(parse(fixture, "build"));

    assert_text(fixture->options.output, "out");
}

static void test_value_may_stand_behind_a_short_option(void **state) {
    Fixture *fixture = *state;

    assert_true(parse(fixture, "build", "-o", "dir"));

    assert_text(fixture->options.output, "dir");
}

static void test_value_may_be_joined_to_a_short_option(void **state) {
    Fixture *fixture = *state;

    assert_true(parse(fixture, "build", "-odir"));

    assert_text(fixture->options.output, "dir");
}

static void test_value_may_stand_behind_a_long_option(void **state) {
    Fixture *fixture = *state;

    assert_true(parse(fixture, "--format", "json"));

    assert_int_equal(fixture->options.format, FORMAT_JSON);
}

static void test_value_may_be_joined_to_a_long_option(void **state) {
    Fixture *fixture = *state;

    assert_true(parse(fixture, "--diagnostics=sarif"));

    assert_int_equal(fixture->options.diagnostics, DIAGNOSTICS_SARIF);
}

static void test_options_and_operands_mix(void **state) {
    Fixture *fixture = *state;

    assert_true(parse(fixture, "--strict", "build", "-o", "dir", "infra.dt", "--color=never"));

    assert_int_equal(fixture->options.operands.count, 2);
    assert_text(fixture->options.operands.items[1], "infra.dt");
}

static void test_two_dashes_end_options(void **state) {
    Fixture *fixture = *state;

    assert_true(parse(fixture, "build", "--", "-o"));

    assert_text(fixture->options.operands.items[1], "-o");
}

static void test_single_dash_is_an_operand(void **state) {
    Fixture *fixture = *state;

    assert_true(parse(fixture, "-"));

    assert_text(fixture->options.operands.items[0], "-");
}

static void test_param_is_cut_at_its_first_equals_sign(void **state) {
    Fixture *fixture = *state;

    assert_true(parse(fixture, "-p", "a=b=c"));

    assert_text(fixture->options.arguments.items[0].name, "a");
    assert_text(fixture->options.arguments.items[0].value, "b=c");
}

static void test_param_may_have_an_empty_value(void **state) {
    Fixture *fixture = *state;

    assert_true(parse(fixture, "-p", "a="));

    assert_text(fixture->options.arguments.items[0].value, "");
}

static void test_params_are_kept_in_order(void **state) {
    Fixture *fixture = *state;

    assert_true(parse(fixture, "-pa=1", "--params=x.json", "-pb=2", "--params", "y.json"));

    assert_int_equal(fixture->options.arguments.count, 2);
    assert_text(fixture->options.arguments.items[1].name, "b");
    assert_text(fixture->options.param_files.items[1], "y.json");
}

static void test_param_without_a_name_is_refused(void **state) {
    Fixture *fixture = *state;

    assert_false(parse(fixture, "-p", "=1"));

    assert_text(fixture->fault.message, "`-p` takes NAME=VALUE, not `=1`");
}

static void test_param_without_equals_sign_is_refused(void **state) {
    Fixture *fixture = *state;

    assert_false(parse(fixture, "-p", "a"));
}

static void test_misspelt_option_is_told_the_nearest(void **state) {
    Fixture *fixture = *state;

    assert_false(parse(fixture, "--formt=json"));

    assert_text(fixture->fault.message, "there is no option `--formt`");
    assert_text(fixture->fault.hint, "did you mean `--format`?");
}

static void test_abbreviated_option_is_refused(void **state) {
    Fixture *fixture = *state;

    assert_false(parse(fixture, "--diag=json"));
}

static void test_joined_switches_are_refused(void **state) {
    Fixture *fixture = *state;

    assert_false(parse(fixture, "-hV"));

    assert_text(fixture->fault.message, "`-h` takes no value");
}

static void test_missing_value_is_refused(void **state) {
    Fixture *fixture = *state;

    assert_false(parse(fixture, "build", "--format"));

    assert_text(fixture->fault.hint, "write `--format yaml|json`");
}

static void test_empty_value_is_refused(void **state) {
    Fixture *fixture = *state;

    assert_false(parse(fixture, "-o", ""));
}

static void test_value_of_a_switch_is_refused(void **state) {
    Fixture *fixture = *state;

    assert_false(parse(fixture, "--strict=yes"));

    assert_text(fixture->fault.message, "`--strict` takes no value");
}

static void test_value_that_is_no_word_of_the_option_is_refused(void **state) {
    Fixture *fixture = *state;

    assert_false(parse(fixture, "--format", "jso"));

    assert_text(fixture->fault.hint, "it is one of yaml|json");
}

static void test_same_option_twice_is_refused(void **state) {
    Fixture *fixture = *state;

    assert_false(parse(fixture, "-o", "a", "-o", "b"));

    assert_text(fixture->fault.message, "`-o` is given twice");
}

static void test_same_switch_twice_is_fine(void **state) {
    Fixture *fixture = *state;

    assert_true(parse(fixture, "--strict", "--strict"));
}

static void test_seen_options_have_their_bits(void **state) {
    Fixture *fixture = *state;

    assert_true(parse(fixture, "--strict", "-h"));

    assert_int_equal(fixture->options.seen, OPTION_BIT(OPTION_STRICT) | OPTION_BIT(OPTION_HELP));
}

static void test_description_has_both_spellings(void **state) {
    Fixture *fixture = *state;

    const Str text = option_describe(fixture->arena, OPTION_HELP);

    assert_text(text, "-h, --help");
}

static void test_description_has_the_words(void **state) {
    Fixture *fixture = *state;

    const Str text = option_describe(fixture->arena, OPTION_FORMAT);

    assert_text(text, "--format yaml|json");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_output_directory_is_out_by_default),
        TEST(test_value_may_stand_behind_a_short_option),
        TEST(test_value_may_be_joined_to_a_short_option),
        TEST(test_value_may_stand_behind_a_long_option),
        TEST(test_value_may_be_joined_to_a_long_option),
        TEST(test_options_and_operands_mix),
        TEST(test_two_dashes_end_options),
        TEST(test_single_dash_is_an_operand),
        TEST(test_param_is_cut_at_its_first_equals_sign),
        TEST(test_param_may_have_an_empty_value),
        TEST(test_params_are_kept_in_order),
        TEST(test_param_without_a_name_is_refused),
        TEST(test_param_without_equals_sign_is_refused),
        TEST(test_misspelt_option_is_told_the_nearest),
        TEST(test_abbreviated_option_is_refused),
        TEST(test_joined_switches_are_refused),
        TEST(test_missing_value_is_refused),
        TEST(test_empty_value_is_refused),
        TEST(test_value_of_a_switch_is_refused),
        TEST(test_value_that_is_no_word_of_the_option_is_refused),
        TEST(test_same_option_twice_is_refused),
        TEST(test_same_switch_twice_is_fine),
        TEST(test_seen_options_have_their_bits),
        TEST(test_description_has_both_spellings),
        TEST(test_description_has_the_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
