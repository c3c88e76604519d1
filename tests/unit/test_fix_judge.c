#include "compiler/driver/fix/fix_judge.h"

#include "tests/support/check.h"

// Two sessions over one text, the second with `x` at 8 replaced by `yy`.
typedef struct {
    Trial trial;
    Diag *fixed;
} Case;

#define TEXT "let a = x\nnetwork lab { zones = b }\n"

static Span at(uint32_t start, uint32_t end) {
    return (Span){ .source = 1, .start = start, .end = end };
}

static int make_case(void **state) {
    Case *made = calloc(1, sizeof(*made));
    Session *before = session_create();
    Session *after = session_create();
    source_add(before, STR("main.dt"), STR("dt 1\n" TEXT));
    source_add(after, STR("main.dt"), STR("dt 1\nlet a = yy\nnetwork lab { zones = b }\n"));
    made->fixed = report(before, at(13, 14), DIAG(unknown_name), 1, "x");
    diag_fix(before, made->fixed, at(13, 14), STR("yy"));
    Edits *edits = arena_new_array(before->arena, Edits, 2);
    edits_add(before->arena, &edits[1], (Edit){ .start = 13, .end = 14, .replacement = STR("yy") });
    edits_settle(&edits[1], source_get(before, 1)->text);
    const Diag **fixed = arena_new(before->arena, const Diag *);
    fixed[0] = made->fixed;
    made->trial = (Trial){ .before = before, .after = after, .edits = edits, .fixed = fixed, .fixed_count = 1 };
    *state = made;
    return 0;
}

static int drop_case(void **state) {
    Case *made = *state;
    session_destroy(made->trial.before);
    session_destroy(made->trial.after);
    free(made);
    return 0;
}

static const char *fault_of(const Case *made) {
    return trial_fault(made->trial.before->arena, &made->trial);
}

static void test_a_diagnostic_that_is_gone_is_fixed(void **state) {
    assert_null(fault_of(*state));
}

static void test_one_that_is_still_there_is_not(void **state) {
    Case *made = *state;
    report(made->trial.after, at(13, 15), DIAG(unknown_name), 2, "yy");

    assert_string_equal(fault_of(made), "it would not help");
}

static void test_what_was_there_before_is_no_fault(void **state) {
    Case *made = *state;
    report(made->trial.before, at(37, 38), DIAG(unknown_name), 1, "b");
    report(made->trial.after, at(38, 39), DIAG(unknown_name), 1, "b");

    assert_null(fault_of(made));
}

static void test_an_error_elsewhere_is_a_fault(void **state) {
    Case *made = *state;
    report(made->trial.after, at(38, 39), DIAG(unknown_name), 1, "b");

    assert_string_equal(fault_of(made), "DT0402 would come up at main.dt:3:23");
}

static void test_an_error_of_a_later_pass_was_hidden(void **state) {
    Case *made = *state;
    report(made->trial.after, at(29, 32), DIAG(network_without_zones), 3, "lab");

    assert_null(fault_of(made));
}

static void test_an_error_in_the_same_block_was_hidden_by_a_fix_alone(void **state) {
    Case *made = *state;
    const DiagFix fix = { .span = at(29, 34), .replacement = STR("zones") };
    made->fixed->span = fix.span;
    made->fixed->fixes.items[0] = fix;
    report(made->trial.after, at(38, 39), DIAG(unknown_name), 1, "b");
    const Diag *twice[] = { made->fixed, made->fixed };

    assert_null(fault_of(made));
    made->trial.fixed = twice;
    made->trial.fixed_count = 2;
    assert_non_null(fault_of(made));
}

static void test_an_error_at_the_fix_itself_is_a_fault(void **state) {
    Case *made = *state;
    report(made->trial.after, at(13, 15), DIAG(network_without_zones), 3, "lab");

    assert_non_null(fault_of(made));
}

static void test_a_warning_is_a_fault_where_it_is_an_error(void **state) {
    Case *made = *state;
    report(made->trial.after, at(38, 39), DIAG(name_hidden), 1, "b");

    assert_null(fault_of(made));
    made->trial.is_strict = true;
    assert_non_null(fault_of(made));
}

static void test_what_was_allowed_is_no_fault(void **state) {
    Case *made = *state;
    diag_allow(made->trial.after, report(made->trial.after, at(38, 39), DIAG(unknown_name), 1, "b"));

    assert_null(fault_of(made));
}

static void test_a_second_opinion_on_the_text_is_a_fault(void **state) {
    Case *made = *state;
    diag_allow(made->trial.before, report(made->trial.before, at(13, 14), DIAG(unknown_zone), 1, "x"));

    assert_string_equal(fault_of(made), "DT0316 is about the same text");
}

static void test_places_move_with_the_edits(void **state) {
    const Case *made = *state;

    const Span moved = trial_move(&made->trial, at(37, 38));

    assert_int_equal(moved.start, 38);
    assert_int_equal(moved.end, 39);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_case, drop_case)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_diagnostic_that_is_gone_is_fixed),
        TEST(test_one_that_is_still_there_is_not),
        TEST(test_what_was_there_before_is_no_fault),
        TEST(test_an_error_elsewhere_is_a_fault),
        TEST(test_an_error_of_a_later_pass_was_hidden),
        TEST(test_an_error_in_the_same_block_was_hidden_by_a_fix_alone),
        TEST(test_an_error_at_the_fix_itself_is_a_fault),
        TEST(test_a_warning_is_a_fault_where_it_is_an_error),
        TEST(test_what_was_allowed_is_no_fault),
        TEST(test_a_second_opinion_on_the_text_is_a_fault),
        TEST(test_places_move_with_the_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
